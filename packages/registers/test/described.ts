import { readFileSync } from 'node:fs'
import { markets } from '@baize/names'
import { fileOfBytes, type SourceFile } from '@baize/tables'
import { readDescription } from '../description/read-description.ts'
import type { Reading, Stream } from '../stream.ts'
import { findStream } from '../streams.ts'
import { type Gathered, gather } from './gather.ts'

export const marketCodes = markets.map(market => market.code)

/** The fixtures here are descriptions. The files that they read are fixtures of @baize/tables. */
const fixture = (name: string) =>
  new URL(`${name.endsWith('.yaml') ? '' : '../../tables/test/'}fixtures/${name}`, import.meta.url)
export const fixtureText = (name: string) => readFileSync(fixture(name), 'utf8')
export const fixtureBytes = (name: string) => readFileSync(fixture(name))

export function described(text: string): Stream {
  const reading = readDescription(text, marketCodes)
  if (!reading.ok)
    throw new Error(reading.problems.map(({ line, message }) => `${line}: ${message}`).join('\n'))
  return reading.stream
}

export const problemsOf = (text: string) => {
  const reading = readDescription(text, marketCodes)
  return reading.ok ? [] : reading.problems.map(({ line, column, message }) => `${line}:${column} ${message}`)
}

export const jsonDescription = {
  key: 'jersey.sites',
  market: 'jersey',
  covers: ['register'],
  regulator: 'Commission',
  regulator_country_code: 'JE',
  official_url: 'https://regulator.example/',
  cadence: { words: 'daily', hours: 24 },
  publishes: { revoked: false, dates: false, domains: true, roles: false },
  identity: 'the site',
  rows_min: 1,
  source_claim: 'authorised_domain',
  qualification: 'Sites.',
  source_identity: 'Sites',
  file: { format: 'tsv' },
  columns: { site: { headers: ['Site'] } },
  records: { authorised_domains: { domain: { column: 'site' } } },
}

const readings = (stream: Stream, content: Uint8Array | string, name = 'file'): AsyncIterable<Reading> =>
  stream.read([fileOfBytes(name, content, 1_024)])

export function read(text: string, content: Uint8Array | string, name?: string): Promise<Gathered> {
  return gather(readings(described(text), content, name))
}

export const inPieces = (name: string, pieceBytes: number): SourceFile =>
  fileOfBytes(name, fixtureBytes(name), pieceBytes)

/** Reads a blocklist with a host or URL a line. */
export const { read: readBlocklist } = findStream('romania.blocklist') as Stream
