/**
 * A host or URL a line, in the two meanings such a list has. Blank lines, comments and a stamp on the first
 * line (`20260401 13:06`) are no rows; the form of a hosts file (`0.0.0.0 host # why`) is read as the host.
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
      yield { record: 'blocklist_entry', recordKey, published, scope, domain, ...noDates, listed: true }
    }
  }
}

/**
 * Regulators print where a licensee's pages begin (`site.example/en/sports?ref=1`), and the path moves with
 * every campaign: the site is what is authorised, and its host, without `www.`, is the record's identity.
 */
export async function* readAuthorisedSites(files: readonly SourceFile[]): AsyncGenerator<Reading, void> {
  yield* authorisedSites(listRows(files))
}

/** The same of rows that come from elsewhere than the lines of a text. */
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

/** A `#` behind a blank begins a comment; inside a URL it begins a fragment. */
function withoutHostsForm(line: string): string {
  const text = line.replace(/(?:^|\s)#.*$/, '').trim()
  return text.replace(/^(?:\d{1,3}(?:\.\d{1,3}){3}|::1?)\s+(?=\S)/, '')
}
