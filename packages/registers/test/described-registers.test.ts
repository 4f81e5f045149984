import { readdirSync } from 'node:fs'
import { markets } from '@baize/names'
import { fileOfBytes, Refusal, type SourceFile } from '@baize/tables'
import { describe, expect, test } from 'vitest'
import type { Description } from '../description/description-schema.ts'
import { readDescription } from '../description/read-description.ts'
import { unreadColumns } from '../description/unread-columns.ts'
import { descriptions, descriptionText, registerKeys } from '../descriptions.ts'
import type { Reading, Stream } from '../stream.ts'
import { findStream } from '../streams.ts'
import type { OfficialAnswer } from './answers/answer.ts'
import { officialSample } from './answers/official-answers.ts'
import { describedRegisters, expectedOf, sampleAnswers } from './answers/sample-answers.ts'
import { gather } from './gather.ts'

test.each(describedRegisters.map(({ key }) => key))(
  'register describe would accept the description of %s',
  key => {
    const read = readDescription(
      descriptionText(key),
      markets.map(market => market.code),
    )
    expect(read.ok ? [] : read.problems).toEqual([])
  },
)

test.each(describedRegisters.map(each => [each.key, each] as const))(
  'each column of the description of %s is read by a record, or declared in its layout',
  (_key, register) => {
    expect(unreadColumns(register as Description)).toEqual([])
  },
)

test('the file of a description is named after its stream, and has a sample', () => {
  expect(descriptions.map(({ key }) => key)).toEqual(registerKeys)
  const folders = readdirSync(new URL('samples/', import.meta.url))
  expect(folders.toSorted()).toEqual(describedRegisters.map(({ key }) => key))
})

/** Returns the records without rejects and notices; a refused file has none. */
async function recordsIn(stream: Stream, ...files: SourceFile[]): Promise<Reading[]> {
  try {
    const readings = await Array.fromAsync(stream.read(files))
    return readings.filter(({ record }) => record !== 'reject' && record !== 'notice')
  } catch (error) {
    if (error instanceof Refusal) return []
    throw error
  }
}

const readsTwoFiles = (key: string) =>
  describedRegisters.some(each => each.key === key && 'second_file' in each)

const counts = (values: readonly string[]) =>
  Object.fromEntries([...Map.groupBy(values, value => value)].map(([value, each]) => [value, each.length]))

const loginPage = fileOfBytes(
  'login.html',
  '<!DOCTYPE html><title>Sign in</title><form><input type=password></form>',
)

describe.each(describedRegisters.map(({ key }) => key))('%s', key => {
  const stream = findStream(key) as Stream
  const saved = sampleAnswers(key).find(each => each.isIndex !== true) as OfficialAnswer

  test('the sample of every description gives the expected records', async () => {
    const { records, rejected, first } = expectedOf(key)
    const { reject, notice: _notice, ...all } = await gather(stream.read(officialSample(stream)))
    const found = Object.entries(all).filter(([, rows]) => rows.length > 0)
    expect(Object.fromEntries(found.map(([kind, rows]) => [kind, rows.length]))).toEqual(records)
    expect(counts(reject.map(({ reason }) => reason))).toEqual(rejected)
    expect(Object.fromEntries(found.map(([kind, rows]) => [kind, rows[0]]))).toMatchObject(first)
    expect(Object.keys(first).toSorted()).toEqual(Object.keys(records).toSorted())
  })

  test("a login page in place of a register's file gives no record", async () => {
    expect(await recordsIn(stream, loginPage)).toEqual([])
  })

  test("half of a register's file gives fewer records", async () => {
    const bytes = saved.body()
    const [, ...others] = officialSample(stream)
    const further = readsTwoFiles(key) ? others : []
    const [whole, half] = await Promise.all(
      [bytes, bytes.subarray(0, bytes.length / 2)].map(each =>
        recordsIn(stream, fileOfBytes(saved.url, each), ...further),
      ),
    )
    expect(half?.length).toBeLessThan(whole?.length ?? 0)
  })
})
