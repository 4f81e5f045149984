/**
 * The Division's page has a table per permit holder and a numbered row per site. The last cell lists the
 * site's hosts (`borgata.example/en/casino, borgata.example/en/poker`). Mirrors publish a plain host list.
 */
import { elementsOf, parsePage, refuseOpenEnd } from '../../described/html-page.ts'
import { rowsIn } from '../../described/table-element.ts'
import { firstCharacter } from '../../source/first-character.ts'
import { ofMirror } from '../../source/readings.ts'
import { onlyFile } from '../../source/source-file.ts'
import type { Line } from '../../source/source-text.ts'
import { type Reading, Refusal, type SourceFile } from '../../stream.ts'
import { authorisedSites, readAuthorisedSites } from '../host-list/read-host-list.ts'

export async function* readNewJerseySites(files: readonly SourceFile[]): AsyncGenerator<Reading, void> {
  const file = onlyFile(files)
  if ((await firstCharacter(file)) === '<') yield* authorisedSites(numberedSites(file))
  else yield* ofMirror(file.name, readAuthorisedSites(files))
}

async function* numberedSites(file: SourceFile): AsyncGenerator<Line, void> {
  const document = await parsePage(file, 'utf-8', ({ tagName }) => tagName === 'tr' || tagName === 'table')
  let rows = 0
  for (const table of elementsOf(document).filter(element => element.tagName === 'table')) {
    for (const { line: number, cells } of rowsIn(table)) {
      const [first = '', ...others] = cells
      if (others.length === 0 || !/^\d+\.?$/.test(first)) continue
      for (const text of (others.at(-1) ?? '').split(/[\s,;]+/)) {
        if (text === '') continue
        rows += 1
        yield { number, text }
      }
    }
    refuseOpenEnd(file.name, table)
  }
  if (rows === 0) throw new Refusal(`"${file.name}" is a page without numbered rows of sites`)
}
