import { readdir, readFile } from 'node:fs/promises'

const directory = new URL('../../../docs/', import.meta.url)
/** The base URL in the files, replaced by the service's own. */
const writtenBaseUrl = 'http://127.0.0.1:8080'

const errorIndex = 'errors/README.md'

/** The pages for customers, in the order in which somebody new reads them. The others are for operators. */
export const servedFiles = [
  'quickstart.md',
  'guides/screen-a-portfolio.md',
  'guides/watch-a-market.md',
  'guides/find-prospects.md',
  'guides/export.md',
  'guides/wire-an-agent.md',
  'keys.md',
  'dashboard.md',
  'clients.md',
  'batch-verdicts.md',
  'site-checks.md',
  'domain-search.md',
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
  /** Below docs/. */
  file: string
  /** Below `/docs/`: `guides/export`. */
  path: string
  /** The first heading. */
  title: string
  /** The first paragraph, without links. */
  summary: string
  markdown: string
}

/** The written pages of the docs: those for customers, then errors. */
export async function readPageFiles(baseUrl: string): Promise<PageFile[]> {
  const codes = (await readdir(new URL('errors/', directory)))
    .filter(file => file.endsWith('.md') && `errors/${file}` !== errorIndex)
    .map(file => `errors/${file}`)
  return Promise.all([...servedFiles, ...codes.toSorted()].map(file => readPageFile(file, baseUrl)))
}

async function readPageFile(file: string, baseUrl: string): Promise<PageFile> {
  const written = await readFile(new URL(file, directory), 'utf8')
  const markdown = withoutUnserved(file, written).replaceAll(writtenBaseUrl, baseUrl)
  const [heading = '', ...paragraphs] = markdown.split(/\n\n+/)
  const first = paragraphs.find(paragraph => /^[A-Za-z]/.test(paragraph)) ?? ''
  return {
    file,
    path: pathOf(file),
    title: heading.replace(/^# /, ''),
    summary: first
      .replaceAll('\n', ' ')
      .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')
      .replace(/(?<=\.) .*$/, ''),
    markdown,
  }
}

const pathOf = (file: string) => (file === errorIndex ? 'errors' : file.slice(0, -'.md'.length))

/** A link to a page for operators becomes its text: they read the files. */
const withoutUnserved = (file: string, markdown: string): string =>
  markdown.replaceAll(/\[([^\]]+)\]\(([^)\s]+)\)/g, (link, text: string, href: string) => {
    const linked = linkedFile(file, href)
    return linked === null || isServed(linked.file) ? link : text
  })

const isServed = (file: string) => servedFiles.includes(file) || file.startsWith('errors/')

function linkedFile(file: string, href: string): { file: string; fragment: string } | null {
  if (!/^[\w./-]+\.md(#[\w-]+)?$/.test(href)) return null
  const { pathname, hash } = new URL(href, `file:///${file}`)
  return { file: pathname.slice(1), fragment: hash }
}

/** What a link of a file leads to: a path below `/docs/`, and `#…` or nothing. null: it is no link to a page. */
export function linkedPath(file: string, href: string): { path: string; fragment: string } | null {
  const linked = linkedFile(file, href)
  return linked === null ? null : { path: pathOf(linked.file), fragment: linked.fragment }
}
