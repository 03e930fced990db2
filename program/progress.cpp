#include "program/progress.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <unistd.h>

namespace qcd
{

namespace
{

constexpr std::size_t window_samples = 100;
constexpr std::chrono::milliseconds between_updates(100);

} // namespace

std::string duration(double seconds)
{
    if (seconds < 90) return fmt::format("{:.0f} s", seconds);
    if (seconds < 5400) return fmt::format("{:.0f} min", seconds / 60);
    return fmt::format("{:.1f} h", seconds / 3600);
}

ProgressEstimate::ProgressEstimate(double tolerance, long last_iteration)
    : log_tolerance_(std::log(tolerance)), last_iteration_(last_iteration)
{
}

void ProgressEstimate::add(double seconds, long iteration, double relative_residual)
{
    residual_ = relative_residual;
    window_.push_back({seconds, double(iteration), std::log(relative_residual)});
    if (window_.size() > window_samples) window_.pop_front();
}

double ProgressEstimate::iterations_per_second() const
{
    if (window_.size() < 2) return 0;
    const double seconds = window_.back().seconds - window_.front().seconds;
    return seconds > 0 ? (window_.back().iteration - window_.front().iteration) / seconds : 0;
}

std::optional<double> ProgressEstimate::slope() const
{
    double n = 0, sum_i = 0, sum_r = 0;
    for (const Sample& s : window_)
        if (std::isfinite(s.log_residual)) {
            n += 1;
            sum_i += s.iteration;
            sum_r += s.log_residual;
        }
    double ii = 0, ir = 0;
    for (const Sample& s : window_)
        if (std::isfinite(s.log_residual)) {
            ii += (s.iteration - sum_i / n) * (s.iteration - sum_i / n);
            ir += (s.iteration - sum_i / n) * (s.log_residual - sum_r / n);
        }
    if (n < 5 || ii == 0) return std::nullopt; // too few for a trend
    return ir / ii;
}

std::optional<double> ProgressEstimate::seconds_left() const
{
    const double rate = iterations_per_second();
    if (rate <= 0) return std::nullopt;
    const Sample& now = window_.back();
    double iterations = double(last_iteration_) - now.iteration;
    if (std::isfinite(log_tolerance_)) {
        const std::optional<double> per_iteration = slope();
        if (!per_iteration || !std::isfinite(now.log_residual)) return std::nullopt;
        if (*per_iteration < 0)
            iterations = std::min(iterations, (log_tolerance_ - now.log_residual) / *per_iteration);
    }
    return std::max(iterations, 0.0) / rate;
}

std::string ProgressEstimate::line() const
{
    const long iteration = window_.empty() ? 0 : long(window_.back().iteration);
    std::string text = fmt::format("iteration {}  |r|/|b| {:.2e}", iteration, residual_);
    if (const double rate = iterations_per_second(); rate > 0)
        text += fmt::format("  {:.{}f} it/s", rate, rate < 10 ? 1 : 0);
    if (const auto left = seconds_left()) text += fmt::format("  about {} left", duration(*left));
    return text;
}

Progress::Progress(double tolerance, long last_iteration, bool quiet, std::FILE* out)
    : out_(!quiet && isatty(fileno(out)) ? out : nullptr), estimate_(tolerance, last_iteration),
      start_(Clock::now()), shown_(start_)
{
}

Progress::~Progress()
{
    if (out_ == nullptr) return;
    std::fputs("\r\033[K", out_);
    std::fflush(out_);
}

void Progress::update(long iteration, double relative_residual)
{
    if (out_ == nullptr) return;
    const Clock::time_point now = Clock::now();
    if (now - shown_ < between_updates) return;
    shown_ = now;
    estimate_.add(std::chrono::duration<double>(now - start_).count(), iteration,
                  relative_residual);
    std::fputs(("\r\033[K" + estimate_.line()).c_str(), out_);
    std::fflush(out_);
}

} // namespace qcd
