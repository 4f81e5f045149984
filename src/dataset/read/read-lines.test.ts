import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { StaffError } from '../../core/staff-error.ts'
import { lineBytesMax, readRecordLines, splitLines } from './read-lines.ts'

async function collected<Value>(values: AsyncIterable<Value>): Promise<Value[]> {
  const list: Value[] = []
  for await (const value of values) list.push(value)
  return list
}

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'baize-lines-'))
})
afterAll(() => rm(directory, { recursive: true, force: true }))

async function linesOf(...chunks: (string | Uint8Array)[]) {
  async function* source() {
    for (const chunk of chunks) yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk
  }
  return collected(splitLines(source()))
}

test('lines are numbered as in an editor, and blank ones are skipped', async () => {
  expect(await linesOf('\ufeffone\r\n\n  \ntwo\nthree')).toEqual([
    { number: 1, text: 'one\r' },
    { number: 4, text: 'two' },
    { number: 5, text: 'three' },
  ])
})

test('the lines do not depend on how the file is split into chunks', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.string({ unit: 'grapheme' })), fc.array(fc.nat(50)), async (texts, cuts) => {
      const bytes = Buffer.from(texts.join('\n'))
      const chunks: Uint8Array[] = []
      let start = 0
      for (const cut of cuts) {
        chunks.push(bytes.subarray(start, start + cut))
        start += cut
      }
      expect(await linesOf(...chunks, bytes.subarray(start))).toEqual(await linesOf(bytes))
    }),
  )
})

test('a line over the size limit is rejected, and the next line is read', async () => {
  const piece = 'x'.repeat(lineBytesMax / 2 + 1)
  expect(await linesOf(piece, `${piece}\nnext`)).toEqual([
    { number: 1, problem: `longer than ${lineBytesMax} bytes` },
    { number: 2, text: 'next' },
  ])
})

test('a line that is not UTF-8 is rejected', async () => {
  expect(await linesOf(Buffer.from([0x61, 0xff, 0x0a, 0x62]))).toEqual([
    { number: 1, problem: 'not UTF-8' },
    { number: 2, text: 'b' },
  ])
})

test('a .gz file is gunzipped, and progress counts its compressed bytes', async () => {
  const file = join(directory, 'a.ndjson.gz')
  const packed = gzipSync('one\ntwo\n')
  await writeFile(file, packed)
  let bytes = 0
  const lines = await collected(
    readRecordLines(file, read => {
      bytes += read
    }),
  )
  expect(lines).toEqual([
    { number: 1, text: 'one' },
    { number: 2, text: 'two' },
  ])
  expect(bytes).toBe(packed.length)
})

const packed = gzipSync('one\ntwo\n'.repeat(1_000))
const flipped = packed.map((byte, at) => (at === packed.length - 6 ? byte ^ 0xff : byte))

test.each<[string, Uint8Array, string]>([
  ['ends too early', packed.subarray(0, packed.length - 12), 'unexpected end of file'],
  ['is plain text under a name of gzip', Buffer.from('one\ntwo\n'), 'incorrect header check'],
  ['is damaged', flipped, 'incorrect data check'],
])('a gzip file that %s is reported by name', async (_, bytes, problem) => {
  const file = join(directory, 'cut.ndjson.gz')
  await writeFile(file, bytes)
  const error = await collected(readRecordLines(file, () => {})).catch(thrown => thrown)
  expect(error).toBeInstanceOf(StaffError)
  expect(error.message).toBe(`${file}: not a valid gzip file (${problem}). Nothing was loaded.`)
})

test.each(['gone.ndjson', 'gone.ndjson.gz'])('reading a missing %s throws', async name => {
  await expect(collected(readRecordLines(join(directory, name), () => {}))).rejects.toThrow('ENOENT')
})
