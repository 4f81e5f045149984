/**
 * Reads a host or URL per line, as a blocklist or as authorised sites. Blank lines, comments and a time
 * stamp on the first line (`20260401 13:06`) are skipped; `0.0.0.0 host # why` is read as the host.
 */
import { readPublishedEntry } from '../../source/published-entry.ts'
import { RecordKeys, reject } from '../../source/readings.ts'
import { onlyFile } from '../../source/source-file.ts'
import { type Line, readLines } from '../../source/source-text.ts'
import { type Reading, Refusal, type SourceFile } from '../../stream.ts'

export async function* readBlocklist(files: readonly SourceFile[]): AsyncGenerator<Reading, void> {
  const keys = new RecordKeys()
  for await (const { number, text } of listRows(files)) {
    const entry = readPublishedEntry(text)
    if (!entry.ok) yield reject(entry.reason, number, text)
    else if (!keys.claim(entry.key)) yield reject('duplicate', number, text)
    else {
      const { key: recordKey, published, scope, domain } = entry
      const noDates = { listedAt: null, delistedAt: null }
      const site = { published, scope, domain, listedAs: recordKey }
      yield { record: 'blocklist_entry', recordKey, ...site, ...noDates, listed: true }
    }
  }
}

/** Landing pages (`site.example/en/sports?ref=1`) change often: the host without `www.` is the identity. */
export async function* readAuthorisedSites(files: readonly SourceFile[]): AsyncGenerator<Reading, void> {
  yield* authorisedSites(listRows(files))
}

export async function* authorisedSites(rows: AsyncIterable<Line>): AsyncGenerator<Reading, void> {
  const keys = new RecordKeys()
  for await (const { number, text } of rows) {
    const entry = readPublishedEntry(text)
    if (!entry.ok) yield reject(entry.reason, number, text)
    else if (entry.domain === null) yield reject('shared_host', number, text)
    else {
      const recordKey = entry.host.replace(/^www\./, '')
      const { published, domain } = entry
      const unpublished = { status: null, licenseKey: null, licenseeKey: null }
      if (!keys.claim(recordKey)) yield reject('duplicate', number, text)
      else yield { record: 'authorisation', recordKey, domain, published, ...unpublished, counts: true }
    }
  }
}

async function* listRows(files: readonly SourceFile[]): AsyncGenerator<Line, void> {
  const file = onlyFile(files)
  let rows = 0
  for await (const { number, text } of readLines(file, { encoding: 'utf-8', markup: 'none' })) {
    const row = withoutHostsForm(text)
    if (row === '' || (number === 1 && /^\d{8} \d\d:\d\d$/.test(row))) continue
    rows += 1
    yield { number, text: row }
  }
  if (rows === 0) throw new Refusal(`"${file.name}" has no rows`)
}

/** A `#` after a blank starts a comment; inside a URL it starts a fragment. */
function withoutHostsForm(line: string): string {
  const text = line.replace(/(?:^|\s)#.*$/, '').trim()
  return text.replace(/^(?:\d{1,3}(?:\.\d{1,3}){3}|::1?)\s+(?=\S)/, '')
}
