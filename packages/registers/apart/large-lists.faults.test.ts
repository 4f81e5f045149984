import { open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileAt } from '@baize/tables'
import { expect, onTestFinished, test } from 'vitest'
import { findStream, type Stream } from '../index.ts'
import { readApart } from './read-apart.ts'

const rows = 1_000_000
const key = 'italy.blocklist'

test(`a list of ${rows.toLocaleString('en')} hosts is read within the limits of its process`, async () => {
  const path = join(tmpdir(), `list-${process.pid}.txt`)
  onTestFinished(() => rm(path, { force: true }))
  const file = await open(path, 'w')
  for (let start = 0; start < rows; start += 10_000)
    await file.write(Array.from({ length: 10_000 }, (_, each) => `otter-${start + each}.example\n`).join(''))
  await file.close()
  let entries = 0
  for await (const { record } of readApart(findStream(key) as Stream, { key }).read([fileAt(path)]))
    if (record === 'blocklist_entry') entries += 1
  expect(entries).toBe(rows)
})
