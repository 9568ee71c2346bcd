/* What fits have on host and device. A number of each fit lies beside that of the next fit, so that neighbouring
 * work-items, and the lanes of a vector, read neighbouring addresses. */
#ifndef CLOPT_SHARED_FIT_FIT_H
#define CLOPT_SHARED_FIT_FIT_H

#include "shared/language.h"

/* How a fit ended. */
#define FIT_RUNS 0
#define FIT_BY_VALUE 1 /* neither the last step nor the next one lowers the sum of squares */
#define FIT_BY_STEP 2  /* the last step changed no parameter that counts */
#define FIT_BY_SLOPE 3 /* the residuals are orthogonal to all slopes */
#define FIT_AT_BOUND 4 /* converged; a bound keeps the sum from falling */
#define FIT_SINGULAR 5 /* converged; the slope of a parameter is made of the others', or 0 */
#define FIT_NO_DATA 6
#define FIT_NOT_FINITE 7 /* at the guess */
#define FIT_LIMIT 8      /* of rounds */

/* What is summed over the data. */
#define FIT_SQUARES 0
#define FIT_SOFT_L1 1
#define FIT_HUBER 2
#define FIT_CAUCHY 3
#define FIT_POISSON 4

CLOPT_SHARED_BEGIN

struct fit_rows_settings {
  uint first; /* of the launch's fits */
  uint count; /* the launch's fits */
  uint fits;  /* from a fit's number to the next one of the same fit */
  uint columns; /* numbers of a row: data, and what belongs to each */
  uint own_guess;  /* 1: each fit has one, 0: one is for all */
  uint own_bounds;
  uint fixed; /* parameters that stay, a bit each */
  uint most_rounds;
  float loss_scale; /* of residuals that count as large, as two numbers that are added */
  float loss_scale_rest;
};
typedef struct fit_rows_settings fit_rows_settings;

/* A row that is long is one number behind the other, and is summed by sections. Tiles of FIT_TILE_SECTIONS times
 * FIT_SECTION_DATA consecutive data have a datum of each of their sections in turn. */
#define FIT_SECTION_DATA 128u
#define FIT_TILE_SECTIONS 64u
#define FIT_TILE_DATA (FIT_SECTION_DATA * FIT_TILE_SECTIONS)
/* Sums that are added in turn. */
#define FIT_SUMMED 64u

struct long_rows_settings {
  uint first;    /* of the launch's sections; those of a row follow those of the row before */
  uint count;    /* the launch's sections */
  uint rows;
  uint fits;     /* from a number of a row's fit to the next one of the same fit */
  uint columns;  /* numbers of a row: data, and what belongs to each */
  uint sections; /* of a row */
  uint sums;     /* of a row's sections, one for each quantity: what is left to add */
  uint most_rounds;
};
typedef struct long_rows_settings long_rows_settings;

/* The sections of a row. */
CLOPT_SHARED uint fit_sections(uint data) { return (data + FIT_TILE_DATA - 1u) / FIT_TILE_DATA * FIT_TILE_SECTIONS; }

/* The first datum of a section, and the end of its tile. */
CLOPT_SHARED uint fit_section_begin(uint section) {
  return section / FIT_TILE_SECTIONS * FIT_TILE_DATA + section % FIT_TILE_SECTIONS;
}
CLOPT_SHARED uint fit_section_end(uint section, uint data) {
  const uint tile = section / FIT_TILE_SECTIONS;
  return data - tile * FIT_TILE_DATA < FIT_TILE_DATA ? data : (tile + 1u) * FIT_TILE_DATA;
}

/* Where number k of a fit is. */
CLOPT_SHARED ulong fit_place(uint k, uint fit, uint own, uint fits) { return own != 0u ? (ulong)k * fits + fit : k; }

/* The greatest power of two that is not above a positive normal number. */
CLOPT_SHARED float fit_power_of_float(float x) { return as_float(as_uint(x) & 0xff800000u); }
#if defined(CLOPT_FP64) || defined(cl_khr_fp64) || !defined(__OPENCL_VERSION__)
CLOPT_SHARED double fit_power_of_double(double x) { return as_double(as_ulong(x) & 0xfff0000000000000UL); }
#endif
#ifndef __OPENCL_VERSION__
CLOPT_SHARED float fit_power_of(float x) { return fit_power_of_float(x); }
CLOPT_SHARED double fit_power_of(double x) { return fit_power_of_double(x); }
#endif

CLOPT_SHARED_END

#endif
