/**
 * The Board's page has a table of providers that links their sites. Many links lead through a mail gateway,
 * which wraps the address; their text is the address then. Mirrors publish a plain host list.
 */
import { elementsOf, parsePage, refuseOpenEnd } from '../../described/html-page.ts'
import { attributesIn, textOf } from '../../described/table-element.ts'
import { firstCharacter } from '../../source/first-character.ts'
import { ofMirror } from '../../source/readings.ts'
import { onlyFile } from '../../source/source-file.ts'
import type { Line } from '../../source/source-text.ts'
import { type Reading, Refusal, type SourceFile } from '../../stream.ts'
import { authorisedSites, readAuthorisedSites } from '../host-list/read-host-list.ts'

const gateway = 'safelinks.protection.outlook.com'

export async function* readMichiganSites(files: readonly SourceFile[]): AsyncGenerator<Reading, void> {
  const file = onlyFile(files)
  if ((await firstCharacter(file)) === '<') yield* authorisedSites(linkedSites(file))
  else yield* ofMirror(file.name, readAuthorisedSites(files))
}

async function* linkedSites(file: SourceFile): AsyncGenerator<Line, void> {
  const document = await parsePage(file, 'utf-8', ({ tagName }) => tagName === 'a' || tagName === 'table')
  let rows = 0
  for (const table of elementsOf(document).filter(element => element.tagName === 'table')) {
    for (const link of elementsOf(table).filter(element => element.tagName === 'a')) {
      const [href = ''] = attributesIn(link, 'href')
      const text = siteIn(textOf(link), href)
      if (text === null) continue
      rows += 1
      yield { number: link.sourceCodeLocation?.startLine ?? rows, text }
    }
    refuseOpenEnd(file.name, table)
  }
  if (rows === 0) throw new Refusal(`"${file.name}" is a page without a table of links to sites`)
}

/** The address in the text of a link, else its target. Null: a link to something else, such as a mail address. */
function siteIn(text: string, href: string): string | null {
  const [line = ''] = text.split('\n')
  if (/^(?:https?:\/\/)?[^\s/@:]+\.[a-z]{2,}(?:[/?#]\S*)?$/i.test(line)) return line
  const target = URL.parse(href)
  if (target === null || !/^https?:$/.test(target.protocol)) return null
  return target.hostname.endsWith(gateway) ? target.searchParams.get('url') : href
}
