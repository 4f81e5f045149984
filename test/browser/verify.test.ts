import { expect, test } from 'vitest'
import { startService } from '../harness/service.ts'
import { describePages } from './describe-pages.ts'

const answerWithReceipt = '/v1/domains/resolve?domain=luckyotter.example&receipt=true'

describePages(
  'the page /verify',
  () => startService({ world: 'demo_key', isReachable: true }),
  site => {
    site.journey(
      'an auditor verifies a pasted receipt, a changed one is refused, and nothing leaves the page',
      async ({ visit, press, type, look }) => {
        const { text, body } = await site.service.ask(answerWithReceipt, { key: 'client_demo' })
        const { receipt, ...data } = body.data
        const visitor = await visit()
        const { page } = visitor
        await visitor.open('/verify')
        await page.waitForLoadState('networkidle')
        const sent: string[] = []
        page.on('request', request => sent.push(request.url()))
        const verify = async (fields: Record<string, string>) => {
          for (const [label, value] of Object.entries(fields)) await type(page.getByLabel(label), value)
          await press(page.getByRole('button', { name: 'Verify' }))
        }
        await verify({ Receipt: text })
        await page.getByText('The receipt verifies.').waitFor()
        await page.getByText('"verdict": "licensed"').waitFor()
        await look(visitor, 'verify')
        const altered = receipt.replace(/\.(.{9})./, '.$1_')
        await verify({ Receipt: altered })
        await page.getByText('The signature does not verify.').waitFor()
        await look(visitor, 'verify-refused')
        const other = JSON.stringify({ ...data, verdict: 'no_record' })
        await verify({ Receipt: receipt, 'Answer (optional)': other })
        await page.getByText('The receipt does not belong to this answer.').waitFor()
        await verify({ 'Answer (optional)': JSON.stringify(data) })
        await page.getByText('The answer is the one that was signed.').waitFor()
        await verify({ 'Key set': '{"keys":[]}' })
        await page.getByText('The key set has no key').waitFor()
        expect(sent).toEqual([])
        expect(await page.evaluate(() => location.search)).toBe('')
      },
      ['mouse', 'keyboard'],
    )

    test('the page /verify without scripts names the command, and has no fields', async () => {
      const visitor = await site.visit({ hasScripts: false })
      await visitor.open('/verify')
      await visitor.page.getByText('The command baize-api receipt does the same.').waitFor()
      expect(await visitor.page.getByLabel('Receipt').isVisible()).toBe(false)
    })
  },
)
