import {
  htmlType,
  markdownType,
  prefersMarkdown,
  type StaticContent,
  securityHeaders,
  staticContent,
} from '@baize/http-content'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Marked, Renderer, type Token, type Tokens } from 'marked'
import { Failure } from '../../core/failure.ts'
import { copyableCode, highlightedCode } from './code-box.ts'
import { headingId } from './heading-id.ts'
import { copyPolicy, docsCacheControl, docsPagePolicy, escapeHtml, renderPage } from './page.ts'
import { linkedPath, type PageFile } from './page-files.ts'

export type Page = { html: StaticContent; markdown: StaticContent }

const markdownSuffix = '.md'

/** Serves the written pages below `/docs` as HTML, or as Markdown by path or `Accept`. */
export async function mountWrittenPages(
  app: FastifyInstance,
  baseUrl: string,
  files: readonly PageFile[],
): Promise<void> {
  const navigation = navigationOf(files)
  const pages = new Map(files.map(each => [each.path, contentOf(each, baseUrl, navigation)]))

  await app.register(async scope => {
    await securityHeaders(scope, docsPagePolicy)
    scope.get('/docs/search', async (request, reply) => {
      const { q } = request.query as { q?: unknown }
      return reply.type(htmlType).send(renderResults(files, navigation, typeof q === 'string' ? q : ''))
    })
    scope.get('/docs/errors/', async (_request, reply) => reply.redirect('../errors'))
    for (const url of ['/docs/errors', '/docs/errors/*']) scope.get(url, sendFile)
  })
  await app.register(async scope => {
    await securityHeaders(scope, copyPolicy)
    scope.get('/docs/*', sendFile)
  })

  function sendFile(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const path = request.url.replace(/^\/docs\/|\?.*$/gs, '')
    return sendPage(pages, path, { request, reply })
  }
}

type Asked = { request: FastifyRequest; reply: FastifyReply }

/** Sends a page as Markdown for a path with `.md`, otherwise in the form that the client prefers. */
export function sendPage(
  pages: ReadonlyMap<string, Page>,
  path: string,
  { request, reply }: Asked,
): Promise<FastifyReply> {
  const asMarkdown = pages.get(path.slice(0, -markdownSuffix.length))
  if (path.endsWith(markdownSuffix) && asMarkdown !== undefined) return asMarkdown.markdown(request, reply)
  const page = pages.get(path)
  if (page === undefined) throw new Failure('route_not_found')
  reply.header('vary', 'accept')
  return prefersMarkdown(request.headers.accept) ? page.markdown(request, reply) : page.html(request, reply)
}

/** The boxes of errors are answers, which nobody copies. */
const isError = (path: string) => path === 'errors' || path.startsWith('errors/')

export function contentOf(page: PageFile, baseUrl: string, navigation: Navigation): Page {
  return {
    html: staticContent(() => renderFile(page, navigation), htmlType, docsCacheControl),
    markdown: staticContent(() => withWholeLinks(page, baseUrl), markdownType, docsCacheControl),
  }
}

/** Converts links between files to URLs of their Markdown, which also work outside of the site. */
export const withWholeLinks = ({ file, markdown }: PageFile, baseUrl: string): string =>
  markdown.replaceAll(/\]\(([^)\s]+)\)/g, (link, href: string) => {
    const linked = linkedPath(file, href)
    return linked === null ? link : `](${baseUrl}/docs/${linked.path}${markdownSuffix}${linked.fragment})`
  })

type Navigation = readonly { path: string; title: string }[]

/** Lists the pages of the navigation in the order of readers, with the reference first. */
export const navigationOf = (files: readonly PageFile[]): Navigation => [
  { path: 'docs', title: 'API reference' },
  ...files
    .filter(({ path }) => !path.startsWith('errors/'))
    .map(({ path, title }) => ({ path: `docs/${path}`, title })),
]

/** Renders the pages that have all words of a text, with the line that has the first of them. */
function renderResults(files: readonly PageFile[], navigation: Navigation, q: string): string {
  const words = q
    .toLowerCase()
    .split(/\s+/)
    .filter(word => word !== '')
    .slice(0, wordsMax)
  const found = files
    .filter(({ markdown }) => words.every(word => markdown.toLowerCase().includes(word)))
    .toSorted((one, other) => Number(isTitled(other, words)) - Number(isTitled(one, words)))
  const items = found.slice(0, resultsMax).map(({ path, title, summary, markdown }) => {
    const line = markdown.split('\n').find(each => each.toLowerCase().includes(words[0] ?? '')) ?? summary
    return `<h2><a href="${path}">${escapeHtml(title)}</a></h2>\n<p>${escapeHtml(plain(line))}</p>`
  })
  const count = words.length === 0 ? 'Type what you look for.' : `${found.length} of ${files.length} pages`
  return renderPage({
    title: 'Search the docs',
    root: '../',
    path: 'docs/search',
    pages: navigation,
    searched: q,
    markdownHref: null,
    hasScript: false,
    body: `<h1>Search the docs</h1>\n<p>${count}</p>\n${words.length === 0 ? '' : items.join('\n')}`,
  })
}

const resultsMax = 20
const wordsMax = 8
const lineCharactersMax = 240
const isTitled = ({ title }: PageFile, words: readonly string[]) =>
  words.some(word => title.toLowerCase().includes(word))

/** Leaves out the marks of Markdown. */
const plain = (line: string): string =>
  line
    .replaceAll(/\[([^\]]*)\]\([^)]*\)|[`*#|]+/g, '$1')
    .trim()
    .slice(0, lineCharactersMax)

/** Renders a page as HTML. Links between files, which work in the repository, become relative URLs. */
function renderFile({ file, path, title, markdown }: PageFile, navigation: Navigation): string {
  const isOverview = path === ''
  const toDocs = isOverview ? 'docs/' : '../'.repeat(path.split('/').length - 1)
  const marked = new Marked({
    async: false,
    // A long name may break after an underscore on a narrow screen.
    renderer: {
      code: ({ text, lang }) =>
        isError(path)
          ? highlightedCode(text, lang)
          : `<div class="copyable">${copyableCode(text, lang, lang ?? 'text')}</div>\n`,
      codespan: ({ text }) => `<code>${escapeHtml(text).replaceAll('_', '_<wbr>')}</code>`,
      heading({ depth, text, tokens }) {
        const id = depth === 1 ? '' : ` id="${headingId(text)}"`
        return `<h${depth}${id}>${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
      // A wide table scrolls inside itself, also by keyboard.
      table(token) {
        const name = token.header.map(({ text }) => escapeHtml(text.replaceAll('`', ''))).join(', ')
        const table = Renderer.prototype.table.call(this, token).replaceAll('<th></th>', '<td></td>')
        return `<div class="wide" role="group" tabindex="0" aria-label="Table: ${name}">${table}</div>\n`
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
    root: isOverview ? './' : `${toDocs}../`,
    path: isOverview ? 'docs' : `docs/${path}`,
    pages: navigation,
    markdownHref: isOverview ? 'docs.md' : `${toDocs}${path}.md`,
    hasScript: !isError(path),
    body: besides(tokens)
      .map((block, index) =>
        Array.isArray(block) ? renderBeside(block, `program-${index}`) : marked.parser([block]),
      )
      .join(''),
  })
}

type Code = Tokens.Code

const labels: Record<string, string> = { sh: 'curl', ts: 'TypeScript', py: 'Python' }

/** Groups consecutive code blocks that show the same program in several languages. */
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

/** Draws tabs without a script: a chosen radio button shows its program. */
function renderBeside(programs: readonly Code[], group: string): string {
  const tabs = programs.map(({ lang = '', text }, index) => {
    const id = `${group}-${index}`
    const label = labels[lang] ?? lang
    return (
      `<input type="radio" name="${group}" id="${id}"${index === 0 ? ' checked' : ''}>` +
      `<label for="${id}">${label}</label>` +
      `<figure class="copyable" aria-label="${label}">${copyableCode(text, lang, label)}</figure>`
    )
  })
  return `<div class="programs">${tabs.join('\n')}</div>\n`
}
