# Any of these may be solved by work-groups that wait for each other.
set(runs_alone TRUE)
