import { expect, onTestFinished, test } from 'vitest'
import { startTestServer } from '../../packages/outbound/fixture.ts'
import { hasChromium } from '../../packages/renderer/fixture.ts'
import { runCommandHere } from '../../test/harness/command.ts'

const tile = (
  title: string,
) => `<li><a href="/game/${title}"><img src="/${title}.png" width="90" height="90" alt=""></a>
  <b>${title}</b><small>NetEnt</small></li>`
const titles = ['Otter', 'Heron', 'Lynx', 'Badger', 'Marten', 'Stoat']

test.skipIf(!hasChromium)('lobby ends without games at a page of another site', async () => {
  const site = await startTestServer()
  onTestFinished(() => site.close())
  site.answer('/', response => {
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end(`<h2>Slots</h2><ul>${titles.map(tile).join('')}</ul>`)
  })
  const { code, stdout } = await runCommandHere(
    ['lobby', 'otter.example', '--url', `${site.url}/`, '--json'],
    {
      OUTBOUND_ALLOW_HOSTS: site.host,
    },
  )
  expect([code, JSON.parse(stdout).reason]).toEqual([0, 'redirects_to_another_domain'])
})

test('lobby without Chromium says so and exits with 1', async () => {
  const { code, stderr } = await runCommandHere(['lobby', 'otter.example'], { CHROMIUM_PATH: '/nowhere' })
  expect([code, stderr]).toEqual([1, expect.stringContaining('Pages are not rendered here')])
})
