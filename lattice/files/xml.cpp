#include "lattice/files/xml.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

#include <fmt/format.h>

namespace qcd
{

namespace
{

constexpr std::string_view blanks = " \t\r\n";

struct Tag {
    enum Kind { open, close, empty } kind;
    std::string name;
};

class Parser
{
public:
    Parser(std::string_view text, std::string_view what) : rest_(trim(text)), what_(what) {}

    FlatXml parse()
    {
        FlatXml out;
        skip_between_tags();
        const Tag root = root_tag(out);
        if (root.kind == Tag::close) throw error("starts with a closing tag");
        out.root = root.name;
        if (root.kind == Tag::open)
            while (child(out)) {
            }
        skip_between_tags();
        if (!rest_.empty()) throw error("text after the root element");
        return out;
    }

private:
    Error error(const std::string& problem) const
    {
        return Error("{}: bad XML: {}", what_, problem);
    }

    /// Where its attributes are not XML, no '<' is among them, and the last '>' before it ends the
    /// tag.
    Tag root_tag(FlatXml& out)
    {
        const std::string_view start = rest_;
        try {
            return tag();
        } catch (const Error&) {
            const std::size_t next = start.find('<', 1);
            const std::size_t end = start.substr(0, next).rfind('>');
            if (next == std::string_view::npos || end == std::string_view::npos) throw;
            rest_ = start.substr(1);
            const Tag root{Tag::open, name()};
            rest_ = start.substr(end + 1);
            out.damaged_attributes = true;
            return root;
        }
    }

    /// One child into out.fields; false at the root's closing tag.
    bool child(FlatXml& out)
    {
        skip_between_tags();
        const Tag start = tag();
        if (start.kind == Tag::close) {
            expect_name(start, out.root);
            return false;
        }
        const std::string value = start.kind == Tag::open ? content(start.name) : "";
        if (!out.fields.emplace(start.name, value).second)
            throw error(fmt::format("element {} appears twice", qcd::quoted(start.name)));
        return true;
    }

    /// The text up to the closing tag of `name`.
    std::string content(const std::string& name)
    {
        const std::string text(trim(up_to("<")));
        if (text.find('&') != std::string::npos)
            throw error(fmt::format("entity in element {}", qcd::quoted(name)));
        const Tag end = tag();
        if (end.kind != Tag::close)
            throw error(
                fmt::format("element {} inside {}", qcd::quoted(end.name), qcd::quoted(name)));
        expect_name(end, name);
        return text;
    }

    void expect_name(const Tag& found, const std::string& name) const
    {
        if (found.name != name)
            throw error(
                fmt::format("{} is closed by {}", qcd::quoted(name), qcd::quoted(found.name)));
    }

    /// White space, comments and declarations.
    void skip_between_tags()
    {
        for (;;) {
            rest_.remove_prefix(std::min(rest_.find_first_not_of(blanks), rest_.size()));
            if (rest_.starts_with("<!--"))
                skip_past("-->");
            else if (rest_.starts_with("<?"))
                skip_past("?>");
            else
                return;
        }
    }

    Tag tag()
    {
        if (!rest_.starts_with('<'))
            throw error(rest_.empty() ? "it ends inside an element" : "text between elements");
        rest_.remove_prefix(1);
        Tag out{Tag::open, {}};
        if (rest_.starts_with('/')) {
            out.kind = Tag::close;
            rest_.remove_prefix(1);
        }
        out.name = name();
        while (skip_attribute()) {
        }
        if (out.kind == Tag::open && rest_.starts_with('/')) {
            out.kind = Tag::empty;
            rest_.remove_prefix(1);
        }
        if (!rest_.starts_with('>'))
            throw error(fmt::format("tag {} is not closed", qcd::quoted(out.name)));
        rest_.remove_prefix(1);
        return out;
    }

    /// A name without its namespace prefix.
    std::string name()
    {
        const std::size_t length = std::min(rest_.find_first_of(" \t\r\n<>/=\"'"), rest_.size());
        std::string_view whole = rest_.substr(0, length);
        rest_.remove_prefix(length);
        whole.remove_prefix(whole.rfind(':') + 1); // npos + 1 = 0
        if (whole.empty() || whole[0] == '!') throw error("tag without a name");
        return std::string(whole);
    }

    /// name = "value"; false if there is none.
    bool skip_attribute()
    {
        rest_.remove_prefix(std::min(rest_.find_first_not_of(blanks), rest_.size()));
        if (rest_.empty() || rest_[0] == '>' || rest_[0] == '/') return false;
        name();
        rest_.remove_prefix(std::min(rest_.find_first_not_of(blanks), rest_.size()));
        if (!rest_.starts_with('=')) throw error("attribute without a value");
        rest_.remove_prefix(1);
        rest_.remove_prefix(std::min(rest_.find_first_not_of(blanks), rest_.size()));
        if (rest_.empty() || (rest_[0] != '"' && rest_[0] != '\''))
            throw error("attribute without quotes");
        const char quote = rest_[0];
        rest_.remove_prefix(1);
        skip_past(std::string_view(&quote, 1));
        return true;
    }

    std::string_view up_to(std::string_view mark)
    {
        const std::size_t at = rest_.find(mark);
        if (at == std::string_view::npos) throw error(fmt::format("no {} before the end", mark));
        const std::string_view before = rest_.substr(0, at);
        rest_.remove_prefix(at);
        return before;
    }

    void skip_past(std::string_view mark)
    {
        up_to(mark);
        rest_.remove_prefix(mark.size());
    }

    std::string_view rest_, what_;
};

} // namespace

FlatXml parse_flat_xml(std::string_view text, std::string_view what)
{
    return Parser(text, what).parse();
}

} // namespace qcd
