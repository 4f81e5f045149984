import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { csvAttachment } from './csv-attachment.ts'

function streamOf(work: Parameters<typeof csvAttachment>[1]) {
  const { file } = csvAttachment('x.csv', work)
  if (!('stream' in file)) throw new Error('not streamed')
  return file.stream
}

test('a file waits for its reader, and is whole', async () => {
  const row = `${'x'.repeat(9_999)}\n`
  let written = 0
  const stream = streamOf(async write => {
    for (; written < 100; written += 1) await write(row)
  })
  expect(written).toBeLessThan(10)
  expect(await text(stream)).toBe(row.repeat(100))
})

test('nothing is written once the reader has left', async () => {
  const { promise, resolve } = Promise.withResolvers<unknown>()
  const stream = streamOf(async write => {
    try {
      for (;;) await write('x'.repeat(10_000))
    } catch (error) {
      resolve(error)
      throw error
    }
  })
  stream.destroy()
  expect(await promise).toMatchObject({ name: 'AbortError' })
})

test('a file whose rows cannot be read breaks off', async () => {
  const stream = streamOf(async write => {
    await write('a,b\n')
    throw new Error('the database is gone')
  })
  await expect(text(stream)).rejects.toThrow('the database is gone')
})
