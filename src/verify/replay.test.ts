import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { differencesShownMax } from '../core/verification.ts'
import { openTestWorld } from '../dataset/fixture.ts'
import { verifyReplay } from './replay.ts'

const names = Array.from({ length: 100 }, (_, number) => `site-${number}.example`)

async function openListedSites() {
  const testWorld = await openTestWorld()
  onTestFinished(() => testWorld.close())
  await testWorld.load(
    names.flatMap(domain => [
      { kind: 'domain', domain },
      { kind: 'blocklist_entry', regulator: 'poland', domain },
    ]),
  )
  return testWorld
}

test('a fact that the recorded history does not give is a difference, with both readings', async () => {
  const { world, connection } = await openListedSites()
  await sql`
    update blocklist_entries set published = 'changed' where published = 'site-7.example'`.execute(
    world.database,
  )
  const { differences } = await verifyReplay(world, connection)
  expect(differences).toHaveLength(2)
  expect(differences).toEqual(
    expect.arrayContaining([
      { kind: 'blocklist entries', stored: expect.stringContaining('| changed | site-7.example |') },
      { kind: 'blocklist entries', replayed: expect.stringContaining('| site-7.example | site-7.example |') },
    ]),
  )
})

test('where all facts differ, only some are shown', async () => {
  const { world, connection } = await openListedSites()
  await sql`update blocklist_entries set published = 'changed'`.execute(world.database)
  const { differences } = await verifyReplay(world, connection)
  expect(differences).toHaveLength(differencesShownMax)
})

test('facts that change during the replay are named as such', async () => {
  const { world, connection } = await openListedSites()
  const publish = (text: string) =>
    sql`
      update blocklist_entries set published = ${text} where domain_id = (
        select id from domains where domain = 'site-7.example')`.execute(world.database)
  await publish('changed')
  let changed: Promise<unknown> | null = null
  const { differences } = await verifyReplay(world, connection, doing => {
    if (doing.startsWith('replaying')) changed ??= publish('changed again')
  })
  await changed
  expect(differences).toContainEqual({
    kind: 'blocklist entries',
    note: 'these facts changed during the replay, so some may not be differences',
  })
})
