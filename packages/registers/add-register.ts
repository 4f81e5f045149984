/**
 * Adds a described register to this package: its description, a sample of its file, and the expected
 * records.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { counted, markets } from '@baize/names'
import { type DescriptionProblem, fileAt, Refusal } from '@baize/tables'
import { readDescription } from './description/read-description.ts'
import { registerKeys } from './descriptions.ts'
import type { NormalisedRow, Reading, Stream } from './stream.ts'

/** The expected records of a sample, as stored in `expected.json` beside it. */
export type Expected = {
  /** The address that the index page links to. Is absent when the description has the address of the file. */
  file_url?: string
  /** The address of `next.html`, which the index page links to and which links to the file. */
  next_url?: string
  /** The addresses of the pages of a list that the index page links to. */
  file_urls?: string[]
  records: Partial<Record<NormalisedRow['record'], number>>
  /** Numbers of rejected rows by reason. */
  rejected: Record<string, number>
  /** Members of the first record of each kind. */
  first: Partial<Record<NormalisedRow['record'], object>>
}

/** Counts the records of a sample, and returns the first record of each kind. */
export function summariseReadings(readings: readonly Reading[]): Expected {
  const expected: Expected = { records: {}, rejected: {}, first: {} }
  for (const reading of readings) {
    if (reading.record === 'notice') continue
    if (reading.record === 'reject') {
      expected.rejected[reading.reason] = (expected.rejected[reading.reason] ?? 0) + 1
      continue
    }
    const { record, ...members } = reading
    expected.records[record] = (expected.records[record] ?? 0) + 1
    expected.first[record] ??= members
  }
  return expected
}

/** A smaller sample would not show how a changed layout affects a register. */
export const sampleRowsMin = 30

/** Returns the kind of record that the register mainly lists. */
export function mainRecord({ sourceClaim, publishes }: Stream): NormalisedRow['record'] {
  if (sourceClaim === 'authorised_domain') return 'authorisation'
  if (sourceClaim === 'license') return publishes.licenses ? 'license' : 'licensee'
  return sourceClaim === 'license_and_blocklist' && publishes.licenses ? 'license' : 'blocklist_entry'
}

export type Sample = {
  /** The paths of the files of a snapshot in their order, in the official layout with fictional names. */
  files: readonly string[]
  /** The pages that lead to files found by a link, in the order in which they are visited. */
  pages?: readonly { path: string; stem: 'index' | 'next' }[]
  /** The addresses to which these pages lead. */
  found?: Pick<Expected, 'file_url' | 'next_url' | 'file_urls'>
}

type Added = { ok: true; stream: string; paths: string[] } | { ok: false; problems: DescriptionProblem[] }

const here = new URL('./', import.meta.url)
const refuse = (message: string): Added => ({ ok: false, problems: [{ line: 1, column: 1, message }] })

/** Writes the register's files below `folder`, the folder of this package, which ends with `/`. */
export async function addRegister(description: string, sample: Sample, folder = here): Promise<Added> {
  const read = readDescription(
    description,
    markets.map(market => market.code),
  )
  if (!read.ok) return read
  const { key } = read.stream
  if (registerKeys.includes(key))
    return refuse(`${key} is a built-in stream; a description needs another key`)
  let readings: Reading[]
  try {
    readings = await Array.fromAsync(read.stream.read(sample.files.map(fileAt)))
  } catch (error) {
    if (error instanceof Refusal) return refuse(`the sample is refused: ${error.message}`)
    throw error
  }
  const found = summariseReadings(readings)
  const main = mainRecord(read.stream)
  const rows = found.records[main] ?? 0
  if (rows < sampleRowsMin)
    return refuse(
      `the sample gives ${counted(rows, 'record')} of the kind ${main}; ` +
        `a sample has at least ${sampleRowsMin}`,
    )
  const expected: Expected = { ...sample.found, ...found }
  const folderOfSample = `test/samples/${key}`
  const files: Record<string, string | Uint8Array> = { [`descriptions/${key}.yaml`]: description }
  const { pages = [] } = sample
  const named = [
    ...numbered('sample', sample.files),
    ...['index', 'next'].flatMap(stem =>
      numbered(
        stem,
        pages.filter(page => page.stem === stem).map(({ path }) => path),
      ),
    ),
  ]
  for (const [name, path] of named) files[`${folderOfSample}/${name}`] = await readFile(path)
  files[`${folderOfSample}/expected.json`] = `${JSON.stringify(expected, null, 2)}\n`
  await mkdir(new URL(folderOfSample, folder), { recursive: true })
  for (const [path, content] of Object.entries(files)) await writeFile(new URL(path, folder), content)
  return { ok: true, stream: key, paths: Object.keys(files).map(path => `packages/registers/${path}`) }
}

/** Names files of one kind in an order that their names keep: `sample.csv`, or `sample-01.html` to `sample-12.html`. */
function numbered(stem: string, paths: readonly string[]): [name: string, path: string][] {
  const digits = String(paths.length).length
  return paths.map((path, index) => {
    const number = paths.length === 1 ? '' : `-${String(index + 1).padStart(digits, '0')}`
    return [`${stem}${number}${extname(path)}`, path]
  })
}
