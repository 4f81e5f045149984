import type { OfficialFile, Stream } from '@baize/registers'
import { findStream } from '@baize/registers'
import { Unresolved } from '@baize/registers/official'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fileAnswer, networkAllowing, startTestServer, type TestServer } from '../outbound/fixture.ts'
import { fetchFiles } from './fetch-files.ts'
import { findFiles } from './find-files.ts'

let server: TestServer
beforeEach(async () => {
  server = await startTestServer()
})
afterEach(() => server.close())

const deferred: [host: string, ms: number][] = []
const turns = {
  takeTurn: async () => 0,
  deferTurns: async (host: string, ms: number) => void deferred.push([host, ms]),
}
const known = findStream('czechia.blocklist') as Stream
const asking = () => ({ turns, network: networkAllowing(server.host) })
const streamOf = (...files: OfficialFile[]): Stream => ({ ...known, official: { ...known.official, files } })

async function contentOf(urls: readonly string[], validators: Parameters<typeof fetchFiles>[1] = []) {
  const fetched = await fetchFiles({ urls, ...asking() }, validators)
  if (fetched === null) return null
  await using snapshot = fetched
  const files = []
  for (const { name, open } of snapshot.files)
    files.push([name, Buffer.concat(await Array.fromAsync(open())).toString()])
  return { files, validators: snapshot.validators }
}

test('the file of a register is found by the link of its page, and fetched under its name', async () => {
  server.answer('/lists', response => response.end('<a href="/files/list-2026.csv">CSV</a>'))
  server.answer('/files/list-2026.csv', fileAnswer('a.example', '"1"'))
  const stream = streamOf({ url: `${server.url}/lists`, resolve: { by: 'newest_link', href: '\\.csv' } })
  const urls = await findFiles(stream, asking())
  expect(urls).toEqual([`${server.url}/files/list-2026.csv`])
  expect((await contentOf(urls))?.files).toEqual([['list-2026.csv', 'a.example']])
})

test('a page without the link is an Unresolved that names the page', async () => {
  server.answer('/lists', response => response.end('<p>moved</p>'))
  const stream = streamOf({ url: `${server.url}/lists`, resolve: { by: 'newest_link', href: '\\.csv' } })
  const refused = await findFiles(stream, asking()).catch(error => error)
  expect(refused).toBeInstanceOf(Unresolved)
  expect(refused.message).toContain(`${server.url}/lists`)
})

test('the files of a snapshot are fetched again, all of them, only if one has changed', async () => {
  const urls = ['one', 'two'].map(name => `${server.url}/${name}.csv`)
  server.answer('/one.csv', fileAnswer('first', '"1"'))
  server.answer('/two.csv', fileAnswer('second', '"2"'))
  const before = await contentOf(urls)
  expect(await contentOf(urls, before?.validators)).toBeNull()
  server.answer('/two.csv', fileAnswer('third', '"3"'))
  const { files } = (await contentOf(urls, before?.validators)) ?? {}
  expect(files).toEqual([
    ['one.csv', 'first'],
    ['two.csv', 'third'],
  ])
})

test('a server that asks for a pause gets no request of any process for that time', async () => {
  server.answer('/list.csv', response => response.writeHead(429, { 'retry-after': '120' }).end())
  const refused = await contentOf([`${server.url}/list.csv`]).catch(error => error)
  expect(refused).toMatchObject({ reason: 'bad_status', isTransient: true })
  expect(deferred).toEqual([['127.0.0.1', 120_000]])
})
