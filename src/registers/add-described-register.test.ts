/** Adds described registers of several files, which their pages lead to. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDescribedRegister } from './known-streams.ts'

let folder: string
const at = (path: string) => join(folder, path)
const add = (description: object, samples: string[], pages: string[]) =>
  addDescribedRegister(
    JSON.stringify(description),
    { samples: samples.map(at), pages: pages.map(at) },
    pathToFileURL(`${folder}/`),
  )

const description = {
  key: 'jersey.holders',
  market: 'jersey',
  covers: ['register'],
  regulator: 'Commission',
  regulator_country_code: 'JE',
  official_url: 'https://regulator.example/holders',
  resolve: { by: 'newest_link', href: '2026', next: { href: '.tsv$' } },
  cadence: { words: 'daily', hours: 24 },
  publishes: { revoked: false, dates: false, domains: true, roles: false },
  identity: 'the name',
  rows_min: 1,
  source_claim: 'authorised_domain',
  qualification: 'Sites.',
  source_identity: 'Sites',
  file: { format: 'tsv' },
  columns: { name: { headers: ['Name'] } },
  records: { licensee: { key: ['name'], legal_name: { column: 'name' } } },
  second_file: {
    official_url: 'https://regulator.example/sites',
    resolve: { by: 'newest_link', href: '.tsv$' },
    file: { format: 'tsv' },
    columns: { name: { headers: ['Name'] }, site: { headers: ['Site'] } },
    licensee: { column: 'name', as: 'name' },
    domain: { column: 'site' },
  },
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'baize-described-'))
  await mkdir(at('descriptions'))
  const names = Array.from({ length: 30 }, (_, index) => `Otter ${index} Ltd`)
  await writeFile(at('holders.tsv'), ['Name', ...names, ''].join('\n'))
  const sites = names.map((name, index) => `${name}\totter-${index}.example`)
  await writeFile(at('sites.tsv'), ['Name\tSite', ...sites, ''].join('\n'))
  await writeFile(at('list.html'), '<!doctype html><a href="/2026/list">October</a>')
  await writeFile(at('article.html'), '<!doctype html><a href="holders.tsv">Holders</a>')
  await writeFile(at('sites.html'), '<!doctype html><a href="/files/sites.tsv">Sites</a>')
})
afterAll(() => rm(folder, { recursive: true }))

test('register describe --add follows the saved pages to each file, and names all addresses', async () => {
  const added = await add(
    description,
    ['holders.tsv', 'sites.tsv'],
    ['list.html', 'article.html', 'sites.html'],
  )
  expect(added).toMatchObject({ ok: true, stream: 'jersey.holders' })
  const samples = at('test/samples/jersey.holders')
  expect((await readdir(samples)).toSorted()).toEqual([
    'expected.json',
    'index-1.html',
    'index-2.html',
    'next.html',
    'sample-1.tsv',
    'sample-2.tsv',
  ])
  expect(JSON.parse(await readFile(join(samples, 'expected.json'), 'utf8'))).toMatchObject({
    next_url: 'https://regulator.example/2026/list',
    file_urls: ['https://regulator.example/2026/holders.tsv', 'https://regulator.example/files/sites.tsv'],
    records: { licensee: 30, authorisation: 30 },
    rejected: {},
  })
})

test('register describe --add names a page that is missing, and one that leads nowhere', async () => {
  const samples = ['holders.tsv', 'sites.tsv']
  await expect(add(description, samples, ['list.html', 'article.html'])).rejects.toThrow(
    'The file is found by a link: --page must be the saved page https://regulator.example/sites, too.',
  )
  await expect(
    add(description, samples, ['list.html', 'article.html', 'sites.html', 'list.html']),
  ).rejects.toThrow(/No file is found by a link of the page .*list\.html/)
})

test('a sample without its second file is refused', async () => {
  expect(await add(description, ['holders.tsv'], ['list.html', 'article.html', 'sites.html'])).toMatchObject({
    problems: [{ message: expect.stringContaining('the sample is refused: expected a second file') }],
  })
})
