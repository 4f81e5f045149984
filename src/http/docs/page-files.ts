import { readdir, readFile } from 'node:fs/promises'

const directory = new URL('../../../docs/', import.meta.url)
/** The base URL in the files, replaced by the service's own. */
const writtenBaseUrl = 'http://127.0.0.1:8080'

/** In the order in which somebody new reads them. */
const guides = [
  'quickstart.md',
  'guides/screen-a-portfolio.md',
  'guides/watch-a-market.md',
  'guides/find-prospects.md',
  'guides/export.md',
  'guides/wire-an-agent.md',
  'keys.md',
  'dashboard.md',
]
const errorIndex = 'errors/README.md'

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

/** The written pages of the docs: guides, then errors. */
export async function readPageFiles(baseUrl: string): Promise<PageFile[]> {
  const codes = (await readdir(new URL('errors/', directory)))
    .filter(file => file.endsWith('.md') && `errors/${file}` !== errorIndex)
    .map(file => `errors/${file}`)
  return Promise.all([...guides, errorIndex, ...codes.toSorted()].map(file => readPageFile(file, baseUrl)))
}

async function readPageFile(file: string, baseUrl: string): Promise<PageFile> {
  const written = await readFile(new URL(file, directory), 'utf8')
  const markdown = written.replaceAll(writtenBaseUrl, baseUrl)
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

/** The path below `/docs/` that a link of a file leads to; null: it is no link to a page. */
export function linkedPath(file: string, href: string): string | null {
  if (!/^[\w./-]+\.md$/.test(href)) return null
  return pathOf(new URL(href, `file:///${file}`).pathname.slice(1))
}
