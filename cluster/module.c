/* The module of one MPI library: mpicc -O2 -fPIC -shared module.c -o libclopt-cluster-NAME.so
 * `clopt cluster build` does so. Valid in C and C++. */
#include "clopt_cluster_module.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static MPI_Comm all_ranks = MPI_COMM_NULL;
static int began_mpi = 0;
enum { message_tag = 1 };

static int initialise(void) {
  int is_initialised = 0;
  int code = MPI_Initialized(&is_initialised);
  int level = MPI_THREAD_SINGLE;
  if (code != MPI_SUCCESS) return code;
  if (is_initialised) {
    code = MPI_Query_thread(&level);
  } else {
    code = MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level);
    began_mpi = code == MPI_SUCCESS;
  }
  if (code != MPI_SUCCESS) return code;
  if (level < MPI_THREAD_FUNNELED) return MPI_ERR_OTHER;
  code = MPI_Comm_dup(MPI_COMM_WORLD, &all_ranks);
  if (code != MPI_SUCCESS) return code;
  return MPI_Comm_set_errhandler(all_ranks, MPI_ERRORS_RETURN);
}

static int finalise(void) {
  int code = MPI_Comm_free(&all_ranks);
  return began_mpi && code == MPI_SUCCESS ? MPI_Finalize() : code;
}

static void abort_all(int status) { MPI_Abort(all_ranks == MPI_COMM_NULL ? MPI_COMM_WORLD : all_ranks, status); }

static void copy_text(const char* from, char* to, int size) {
  if (size <= 0) return;
  strncpy(to, from, (size_t)(size - 1));
  to[size - 1] = '\0';
}

static void error_text(int code, char* text, int size) {
  char all[MPI_MAX_ERROR_STRING + 1];
  int length = 0;
  if (MPI_Error_string(code, all, &length) != MPI_SUCCESS) length = 0;
  all[length] = '\0';
  copy_text(all, text, size);
}

static void library(char* text, int size) {
  char all[MPI_MAX_LIBRARY_VERSION_STRING + 1];
  int length = 0;
  if (MPI_Get_library_version(all, &length) != MPI_SUCCESS) length = 0;
  all[length] = '\0';
  copy_text(all, text, size);
}

static int rank(void) {
  int number = 0;
  MPI_Comm_rank(all_ranks, &number);
  return number;
}

static int size(void) {
  int number = 1;
  MPI_Comm_size(all_ranks, &number);
  return number;
}

static int place_on_node(int* local_rank, int* local_size) {
  MPI_Comm node;
  int code = MPI_Comm_split_type(all_ranks, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  if (code != MPI_SUCCESS) return code;
  MPI_Comm_rank(node, local_rank);
  MPI_Comm_size(node, local_size);
  return MPI_Comm_free(&node);
}

static int broadcast(void* data, int bytes, int root) { return MPI_Bcast(data, bytes, MPI_BYTE, root, all_ranks); }

static int all_gather(const void* data, int bytes, void* all, const int* sizes, const int* places) {
  return MPI_Allgatherv(data, bytes, MPI_BYTE, all, sizes, places, MPI_BYTE, all_ranks);
}

static int gather(const void* data, int bytes, void* all, const int* sizes, const int* places, int root) {
  return MPI_Gatherv(data, bytes, MPI_BYTE, all, sizes, places, MPI_BYTE, root, all_ranks);
}

static int all_sum(const int64_t* numbers, int64_t* sums, int count) {
  return MPI_Allreduce(numbers, sums, count, MPI_INT64_T, MPI_SUM, all_ranks);
}

static int all_minimum(const int64_t* numbers, int64_t* least, int count) {
  return MPI_Allreduce(numbers, least, count, MPI_INT64_T, MPI_MIN, all_ranks);
}

static int probe(int* has_come, int* source, int* bytes) {
  MPI_Status status;
  int code = MPI_Iprobe(MPI_ANY_SOURCE, message_tag, all_ranks, has_come, &status);
  if (code != MPI_SUCCESS || !*has_come) return code;
  *source = status.MPI_SOURCE;
  return MPI_Get_count(&status, MPI_BYTE, bytes);
}

static int begin_send(int destination, const void* data, int bytes, void** transfer) {
  MPI_Request* request = (MPI_Request*)malloc(sizeof(MPI_Request));
  if (!request) return MPI_ERR_NO_MEM;
  *transfer = request;
  return MPI_Isend(data, bytes, MPI_BYTE, destination, message_tag, all_ranks, request);
}

static int begin_receive(int source, void* data, int bytes, void** transfer) {
  MPI_Request* request = (MPI_Request*)malloc(sizeof(MPI_Request));
  if (!request) return MPI_ERR_NO_MEM;
  *transfer = request;
  return MPI_Irecv(data, bytes, MPI_BYTE, source, message_tag, all_ranks, request);
}

static int test(void* transfer, int* is_done) {
  int code = MPI_Test((MPI_Request*)transfer, is_done, MPI_STATUS_IGNORE);
  if (code != MPI_SUCCESS || *is_done) free(transfer);
  return code;
}

#if defined(OPEN_MPI)
#define MODULE_NAME "openmpi"
#elif defined(MPICH_VERSION)
#define MODULE_NAME "mpich"
#else
#define MODULE_NAME "mpi"
#endif

const struct clopt_cluster_module* clopt_cluster_module_entry(void) {
  static const struct clopt_cluster_module module = {CLOPT_CLUSTER_INTERFACE,
                                                     MODULE_NAME,
                                                     initialise,
                                                     finalise,
                                                     abort_all,
                                                     error_text,
                                                     library,
                                                     rank,
                                                     size,
                                                     place_on_node,
                                                     broadcast,
                                                     all_gather,
                                                     gather,
                                                     all_sum,
                                                     all_minimum,
                                                     probe,
                                                     begin_send,
                                                     begin_receive,
                                                     test};
  return &module;
}
