/// \file
/// The exceptions of clopt. A message says what was asked, what was found and what to do.
#pragma once

#include <clopt/export.hpp>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

namespace clopt {

/// A text from outside as a message can show it: cut, and without characters that a terminal would act upon, lines and
/// the control characters of UTF-8 (U+0080 to U+009F) included. Other UTF-8 passes, unless only ASCII makes sense.
CLOPT_API std::string printable(std::string_view text, std::size_t most = 60, bool only_ascii = false);

/// The base of every exception that clopt itself throws.
class CLOPT_API Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The caller asked for something that has no meaning: a bad file, an option out of range, options that contradict
/// each other, an instance that the method asked for cannot hold. Nothing was computed.
class CLOPT_API InvalidInput : public Error {
 public:
  using Error::Error;
};

/// No device answers the description, or the one that does cannot be opened.
class CLOPT_API NoDevice : public Error {
 public:
  using Error::Error;
};

/// A device failed while it worked: the message names the call, its status and the device.
class CLOPT_API DeviceError : public Error {
 public:
  using Error::Error;
};

/// A kernel did not build: the message holds the device, the options, and the compiler's log.
class CLOPT_API BuildError : public DeviceError {
 public:
  using DeviceError::DeviceError;
};

/// A device, or the host, cannot hold what is asked for: the message holds the need and the limit in bytes. The program
/// ends with status 3 then, and so it does for std::bad_alloc: the same problem may fit elsewhere, or later.
class CLOPT_API OutOfMemory : public DeviceError {
 public:
  using DeviceError::DeviceError;
};

/// A self-check failed: a defect of clopt or of a driver. The message names the method; no answer is given.
class CLOPT_API InternalError : public Error {
 public:
  using Error::Error;
};

/// The run was cancelled before there was any result to return.
class CLOPT_API Cancelled : public Error {
 public:
  using Error::Error;
};

}  // namespace clopt
