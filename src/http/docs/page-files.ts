import { readdir, readFile } from 'node:fs/promises'

export const docsDirectory = new URL('../../../docs/', import.meta.url)
/** The files contain this base URL, which the service replaces by its own. */
export const writtenBaseUrl = 'http://localhost:8080'

const errorIndex = 'errors/README.md'

/**
 * The pages for customers, in the order in which a new customer reads them. Other pages are for operators.
 */
export const servedFiles = [
  'quickstart.md',
  'guides/screen-a-portfolio.md',
  'guides/prove-a-decision.md',
  'guides/watch-your-merchants.md',
  'guides/watch-a-market.md',
  'guides/find-prospects.md',
  'guides/export.md',
  'guides/wire-an-agent.md',
  'keys.md',
  'dashboard.md',
  'clients.md',
  'batch-verdicts.md',
  'two-times.md',
  'site-checks.md',
  'portfolios.md',
  'lobby-monitor.md',
  'domain-search.md',
  'regimes.md',
  'companies.md',
  'company-search.md',
  'licenses.md',
  'search.md',
  'people.md',
  'prospect-lists.md',
  'signals.md',
  'exports.md',
  'logos.md',
  errorIndex,
]

export type PageFile = {
  /** The path of the file below docs/. */
  file: string
  /** The path of the page below `/docs/`, such as `guides/export`. */
  path: string
  /** The text of the first heading. */
  title: string
  /** The first paragraph, without links. */
  summary: string
  markdown: string
}

/** Reads the written pages of the docs: those for customers, then those of errors. */
export async function readPageFiles(baseUrl: string): Promise<PageFile[]> {
  const codes = (await readdir(new URL('errors/', docsDirectory)))
    .filter(file => file.endsWith('.md') && `errors/${file}` !== errorIndex)
    .map(file => `errors/${file}`)
  return Promise.all([...servedFiles, ...codes.toSorted()].map(file => readPageFile(file, baseUrl)))
}

const codeBlock = /^```.*?^```$|^ {4}.*$/gms

async function readPageFile(file: string, baseUrl: string): Promise<PageFile> {
  const written = await readFile(new URL(file, docsDirectory), 'utf8')
  const markdown = withoutUnserved(file, written).replaceAll(writtenBaseUrl, baseUrl)
  const [heading = '', ...paragraphs] = markdown.replaceAll(codeBlock, '').split(/\n\n+/)
  const first = paragraphs.find(paragraph => /^[A-Za-z`]/.test(paragraph)) ?? ''
  return {
    file,
    path: pagePathOf(file),
    title: heading.replace(/^# /, ''),
    summary: first
      .replaceAll('\n', ' ')
      .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')
      .replace(/(?<=\.) .*$/, ''),
    markdown,
  }
}

const pagePathOf = (file: string) => (file === errorIndex ? 'errors' : file.slice(0, -'.md'.length))

/** Replaces a link to a page for operators by its text, because operators read the files. */
const withoutUnserved = (file: string, markdown: string): string =>
  markdown.replaceAll(/\[([^[\]]+)\]\(([^)\s]+)\)/g, (link, text: string, href: string) => {
    const linked = linkedFile(file, href)
    return linked === null || isServed(linked.file) ? link : text
  })

/** Lists the pages for customers, below `/docs/`. */
export const docsPaths = (): string[] => servedFiles.map(pagePathOf)

const isServed = (file: string) => servedFiles.includes(file) || file.startsWith('errors/')

function linkedFile(file: string, href: string): { file: string; fragment: string } | null {
  if (!/^[\w./-]+\.md(#[\w-]+)?$/.test(href)) return null
  const { pathname, hash } = new URL(href, `file:///${file}`)
  return { file: pathname.slice(1), fragment: hash }
}

/**
 * Returns the path below `/docs/` to which a file's link leads, and its `#…` or nothing. Returns null if it
 * links no page.
 */
export function linkedPath(file: string, href: string): { path: string; fragment: string } | null {
  const linked = linkedFile(file, href)
  return linked === null ? null : { path: pagePathOf(linked.file), fragment: linked.fragment }
}
