/* SMPI always says that ranks have one thread. Here a rank's other threads are actors of SimGrid. */
#include <mpi.h>

int MPI_Query_thread(int* level) {
  *level = MPI_THREAD_FUNNELED;
  return MPI_SUCCESS;
}
