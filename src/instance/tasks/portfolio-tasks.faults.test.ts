import { afterAll, beforeAll, expect, test } from 'vitest'
import { hourMs, minuteMs, type Notified, startNotified } from './fixture.ts'

let world: Notified
beforeAll(async () => {
  world = await startNotified()
})
afterAll(() => world.close())

test('a webhook that hangs is given up after 5 seconds, tried again, and holds up no other', async () => {
  world.receiver.answer('/hangs', () => {})
  world.receiver.answer('/works', response => void response.writeHead(200).end())
  await world.put({ notify: { url: `${world.receiver.url}/hangs` } })
  const other = await world.service.customer()
  await world.put({ notify: { url: `${world.receiver.url}/works` } }, other)
  await world.list('one.example')
  const startedAt = performance.now()
  await world.pass(minuteMs)
  expect(performance.now() - startedAt).toBeLessThan(15_000)
  expect((await world.notify()).url).toMatchObject({ last_outcome: 'timeout', disabled_at: null })
  expect(world.receiver.requests.map(({ path }) => path).sort()).toEqual(['/hangs', '/works'])
  world.receiver.answer('/hangs', response => void response.writeHead(200).end())
  await world.pass(hourMs)
  expect((await world.notify()).url.last_outcome).toBe('delivered')
})
