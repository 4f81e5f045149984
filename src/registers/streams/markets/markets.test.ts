import { describe, expect, test } from 'vitest'
import { markets } from '../../../core/markets.ts'
import { readDescription } from '../../described/read-description.ts'
import { fileOfBytes } from '../../source/file-of-bytes.ts'
import { type Reading, Refusal, type SourceFile, type Stream } from '../../stream.ts'
import { gather } from '../fixture.ts'
import { findStream } from '../index.ts'
import { officialSample } from '../official-sample.ts'
import { expectedOf, folderFile } from './folder-fixture.ts'
import { descriptionText, folders, marketDescriptions } from './index.ts'

const marketCodes = markets.map(market => market.code)
const textOf = ({ key, ...rest }: { key: string }) =>
  folders.includes(key) ? descriptionText(key) : JSON.stringify({ key, ...rest }, null, 1)

test.each(marketDescriptions.map(description => [description.key, description] as const))(
  '%s would be accepted by register describe',
  (_key, description) => {
    const read = readDescription(textOf(description), marketCodes)
    expect(read.ok ? [] : read.problems).toEqual([])
  },
)

test('a folder is named like its stream', () => {
  const keys = marketDescriptions.map(description => description.key)
  expect(folders.filter(folder => !keys.includes(folder))).toEqual([])
})

/** Records alone; a refused file has none. */
async function recordsIn(stream: Stream, file: SourceFile): Promise<Reading[]> {
  try {
    const readings = await Array.fromAsync(stream.read([file]))
    return readings.filter(({ record }) => record !== 'reject' && record !== 'notice')
  } catch (error) {
    if (error instanceof Refusal) return []
    throw error
  }
}

const counts = (values: readonly string[]) =>
  Object.fromEntries([...Map.groupBy(values, value => value)].map(([value, each]) => [value, each.length]))

const loginPage = fileOfBytes(
  'login.html',
  '<!DOCTYPE html><title>Sign in</title><form><input type=password></form>',
)

describe.each(folders)('%s', folder => {
  const stream = findStream(folder) as Stream
  const saved = folderFile(stream)

  test('its fixture becomes the expected records', async () => {
    const { records, rejected, first } = expectedOf(folder)
    const { reject, notice: _notice, ...all } = await gather(stream.read(officialSample(stream)))
    const found = Object.entries(all).filter(([, rows]) => rows.length > 0)
    expect(Object.fromEntries(found.map(([kind, rows]) => [kind, rows.length]))).toEqual(records)
    expect(counts(reject.map(({ reason }) => reason))).toEqual(rejected)
    expect(Object.fromEntries(found.map(([kind, rows]) => [kind, rows[0]]))).toMatchObject(first)
    expect(Object.keys(first).toSorted()).toEqual(Object.keys(records).toSorted())
  })

  test('a login page instead of the file gives no record', async () => {
    expect(await recordsIn(stream, loginPage)).toEqual([])
  })

  test('half of the file gives fewer records', async () => {
    const bytes = saved.body()
    const [whole, half] = await Promise.all(
      [bytes, bytes.subarray(0, bytes.length / 2)].map(each =>
        recordsIn(stream, fileOfBytes(saved.url, each)),
      ),
    )
    expect(half?.length).toBeLessThan(whole?.length ?? 0)
  })
})
