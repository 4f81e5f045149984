import { Marked, type Token, type Tokens } from 'marked'
import { escapeHtml, renderPage } from './page.ts'
import { linkedPath, type PageFile } from './page-files.ts'

/** A page as HTML. Links between files, which work in the repository, become relative URLs. */
export function renderFile({ file, path, title, markdown }: PageFile): string {
  const toDocs = '../'.repeat(path.split('/').length - 1)
  const marked = new Marked({
    async: false,
    // On a narrow screen a long name may break after an underscore.
    renderer: {
      codespan: ({ text }) => `<code>${escapeHtml(text).replaceAll('_', '_<wbr>')}</code>`,
      heading({ depth, text, tokens }) {
        const id = depth === 1 ? '' : ` id="${idOf(text)}"`
        return `<h${depth}${id}>${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
    },
  })
  const tokens = marked.lexer(markdown)
  marked.walkTokens(tokens, token => {
    if (token.type !== 'link') return
    const link = token as Tokens.Link
    const linked = linkedPath(file, link.href)
    if (linked !== null) link.href = `${toDocs}${linked.path}${linked.fragment}`
  })
  return renderPage({
    title,
    quickstartHref: `${toDocs}quickstart`,
    referenceHref: `${toDocs}../docs`,
    errorsHref: `${toDocs}errors`,
    markdownHref: `${toDocs}${path}.md`,
    body: besides(tokens)
      .map(block => (Array.isArray(block) ? renderBeside(block) : marked.parser([block])))
      .join(''),
  })
}

/** As links in the repository name a heading. */
const idOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w -]/g, '')
    .replaceAll(' ', '-')

type Code = Tokens.Code

const labels: Record<string, string> = { sh: 'curl', ts: 'TypeScript', py: 'Python' }

/** The same program in several languages: code blocks of them that follow each other. */
function besides(tokens: readonly Token[]): (Token | Code[])[] {
  const blocks: (Token | Code[])[] = []
  for (const token of tokens.filter(({ type }) => type !== 'space')) {
    const last = blocks.at(-1)
    if (!isProgram(token)) blocks.push(token)
    else if (Array.isArray(last)) last.push(token)
    else blocks.push([token])
  }
  return blocks.map(block => (Array.isArray(block) && block.length === 1 ? (block[0] as Code) : block))
}

const isProgram = (token: Token): token is Code =>
  token.type === 'code' && labels[(token as Code).lang ?? ''] !== undefined

function renderBeside(programs: readonly Code[]): string {
  const figures = programs.map(
    ({ lang = '', text }) =>
      `<figure><figcaption>${labels[lang]}</figcaption>` +
      `<pre><code>${escapeHtml(text)}\n</code></pre></figure>`,
  )
  return `<div class="beside">${figures.join('\n')}</div>\n`
}
