import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { readSettings } from './settings.ts'

test('docs/operating/settings.md has a row for each setting, and no other', async () => {
  const read = new Set<string>()
  readSettings(new Proxy({}, { get: (_none, name) => void (typeof name === 'string' && read.add(name)) }))
  const page = await readFile(new URL('../../docs/operating/settings.md', import.meta.url), 'utf8')
  const section = page.slice(0, page.indexOf('\n## DATA_DIR'))
  const rows = [...section.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, name]) => name as string)
  expect(rows.toSorted()).toEqual([...read].toSorted())
})
