/// \file
/// Ends what kernel_text.hpp begins: C++ follows.
#undef kernel
#undef CLOPT_KERNEL_FUNCTION
#undef global
#undef CLOPT_FP64
#undef CLOPT_COMMON_LAUNCHES_CL
