import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { fileAt } from '@baize/tables'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addRegister, summariseReadings } from '../add-register.ts'
import { describedStream } from '../description/described-stream.ts'
import { readDataFile } from '../read-data-file.ts'
import { findStream } from '../streams.ts'
import { expectedOf as expectedOfSample } from './answers/sample-answers.ts'
import { jsonDescription } from './described.ts'

let folder: string
const at = (path: string) => join(folder, path)
const description = JSON.stringify(jsonDescription, null, 1)

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'baize-registers-'))
  await mkdir(at('descriptions'))
  const sites = Array.from({ length: 31 }, (_, index) => `lucky-otter-${index}.example`)
  await writeFile(at('saved.tsv'), ['Site', ...sites, 'nothing', ''].join('\n'))
  await writeFile(at('short.tsv'), 'Site\nlucky-otter.example\n')
  await writeFile(at('page.html'), '<!doctype html><title>503</title>')
})
afterAll(() => rm(folder, { recursive: true }))

const add = (text: string, ...paths: string[]) =>
  addRegister(text, { files: paths.map(at) }, pathToFileURL(`${folder}/`))

test('register describe --add writes three files, from which the register reads its sample', async () => {
  const added = await add(description, 'saved.tsv')
  expect(added).toMatchObject({ ok: true, stream: 'jersey.sites' })
  expect(added.ok && added.paths).toEqual([
    'packages/registers/descriptions/jersey.sites.yaml',
    'packages/registers/test/samples/jersey.sites/sample.tsv',
    'packages/registers/test/samples/jersey.sites/expected.json',
  ])
  const stream = describedStream(readDataFile(pathToFileURL(at('descriptions/jersey.sites.yaml'))))
  const readings = await Array.fromAsync(stream.read([fileAt(at('test/samples/jersey.sites/sample.tsv'))]))
  const expected = JSON.parse(await readFile(at('test/samples/jersey.sites/expected.json'), 'utf8'))
  expect(expected).toEqual(summariseReadings(readings))
  expect(expected).toMatchObject({
    records: { authorisation: 31 },
    rejected: { no_dot: 1 },
    first: { authorisation: { domain: 'lucky-otter-0.example', counts: true } },
  })
})

test('a built-in key, a refused sample and a too short sample are refused without new files', async () => {
  const before = await readdir(folder, { recursive: true })
  const problemOf = async (text: string, path: string) => {
    const added = await add(text, path)
    return added.ok ? null : added.problems[0]?.message
  }
  const builtIn = JSON.stringify({ ...jsonDescription, key: 'spain.sites', market: 'spain' })
  expect(findStream('spain.sites')).toBeDefined()
  expect(await problemOf(builtIn, 'saved.tsv')).toContain('spain.sites is a built-in stream')
  expect(await problemOf(description, 'page.html')).toMatch(/the sample is refused: .*HTML page/)
  expect(await problemOf(description, 'short.tsv')).toBe(
    'the sample gives 1 record of the kind authorisation; a sample has at least 30',
  )
  expect(await problemOf('key: jersey', 'saved.tsv')).toContain('market is missing')
  expect(await readdir(folder, { recursive: true })).toEqual(before)
})

test('a sample without its expected records is reported with the command that writes them', () => {
  expect(() => expectedOfSample('atlantis.sites')).toThrow(
    'packages/registers/test/samples/atlantis.sites has no expected.json, the records of its sample: ' +
      '"register describe FILE --add --sample FILE" writes it',
  )
})
