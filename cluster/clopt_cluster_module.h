/* What clopt asks of an MPI library: a table of plain functions in a module that is compiled with the wrapper of that
 * MPI and loaded at run time, since MPI libraries have no common binary interface. Valid in C and C++.
 *
 * All functions are called by one thread (MPI_THREAD_FUNNELED), after initialise() and before finalise(). Those that
 * return int return 0, or MPI's code, which error_text() explains. Messages have at most 1 GiB. */
#ifndef CLOPT_CLUSTER_MODULE_H
#define CLOPT_CLUSTER_MODULE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A module that was built with another version is refused. */
#define CLOPT_CLUSTER_INTERFACE 1u

/* The layout of the first two members never changes. */
struct clopt_cluster_module {
  uint32_t interface_version;
  const char* name; /* "openmpi", "mpich" or "mpi" */

  /* Initialises MPI unless the program has, and takes a communicator of clopt's own. */
  int (*initialise)(void);
  /* Ends MPI where initialise() has begun it. All ranks call it. */
  int (*finalise)(void);
  /* Ends all ranks, at once. */
  void (*abort)(int status);
  void (*error_text)(int code, char* text, int size);
  /* The library's own words on its version. */
  void (*library)(char* text, int size);

  int (*rank)(void);
  int (*size)(void);
  /* The place among the ranks of one machine. */
  int (*place_on_node)(int* rank, int* size);

  /* All ranks call these. */
  int (*broadcast)(void* data, int bytes, int root);
  int (*all_gather)(const void* data, int bytes, void* all, const int* sizes, const int* places);
  int (*gather)(const void* data, int bytes, void* all, const int* sizes, const int* places, int root);
  int (*all_sum)(const int64_t* numbers, int64_t* sums, int count);
  int (*all_minimum)(const int64_t* numbers, int64_t* least, int count);

  /* Whether a message has come, from whom, and its length. */
  int (*probe)(int* has_come, int* source, int* bytes);
  /* Begin a transfer, whose memory stays untouched until test() says that it is done; test() then frees it. */
  int (*begin_send)(int destination, const void* data, int bytes, void** transfer);
  int (*begin_receive)(int source, void* data, int bytes, void** transfer);
  int (*test)(void* transfer, int* is_done);
};

/* The one entry point. */
#if defined(__GNUC__)
__attribute__((visibility("default")))
#endif
const struct clopt_cluster_module* clopt_cluster_module_entry(void);

#ifdef __cplusplus
}
#endif

#endif
