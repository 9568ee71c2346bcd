/// \file
/// What OpenCL C has and C++ has not: included in a struct that derives from WorkItem, before a kernel's text.
/// kernel_text_end.hpp follows the text. Neither is guarded, since each text has its own.
#define kernel [[gnu::always_inline]] inline
// A member too, since it may ask for what the struct knows of the run.
#define CLOPT_KERNEL_FUNCTION inline
#define global
#define CLOPT_FP64
#define CLOPT_COMMON_LAUNCHES_CL
