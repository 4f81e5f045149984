import { expect, onTestFinished, test } from 'vitest'
import { startTestServer } from '../../packages/outbound/fixture.ts'
import { hasChromium } from '../../packages/renderer/fixture.ts'
import { runCommandHere } from '../../test/harness/command.ts'

async function serve() {
  const site = await startTestServer()
  onTestFinished(() => site.close())
  site.answer('/', response => {
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end('<p id="filled"></p><script>filled.textContent = "by a script"</script>')
  })
  return site
}

test.skipIf(!hasChromium)('render prints what a visitor sees, and leaves no process', async () => {
  const site = await serve()
  const { code, stdout } = await runCommandHere(['render', `${site.url}/`, '--json'], {
    OUTBOUND_ALLOW_HOSTS: site.host,
  })
  const seen = JSON.parse(stdout)
  expect({ code, ...seen }).toMatchObject({ code: 0, status: 200, reason: null, killed: 0 })
  expect(seen.dom).toContain('<p id="filled">by a script</p>')
})

test('render of a private address reaches nothing', async () => {
  const site = await serve()
  await runCommandHere(['render', `${site.url}/`], {})
  expect(site.requests).toEqual([])
})

test('render without Chromium says so and exits with 1', async () => {
  const { code, stderr } = await runCommandHere(['render', 'https://site.example/'], {
    CHROMIUM_PATH: '/nowhere',
  })
  expect(code).toBe(1)
  expect(stderr).toContain('Pages are not rendered here')
})
