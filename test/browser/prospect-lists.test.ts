import { expect, test } from 'vitest'
import { fullResult } from '../../src/features/prospect-lists/fixture.ts'
import { deliverProspectList, prepareProspectList } from '../../src/features/prospect-lists/index.ts'
import { startService } from '../harness/service.ts'
import { describePages } from './describe-pages.ts'
import { inspect } from './inspect.ts'
import { press, type } from './keyboard.ts'

describePages(
  'prospect lists',
  () => startService({ isReachable: true }),
  site => {
    const wish = 'Heads of payments at casinos with a <b>license</b> in Malta, who take no cards yet'

    test.each([true, false])('one is requested by keyboard alone, scripts: %s', async hasScripts => {
      const { accountRef } = await site.service.customer()
      const { page, open } = await site.visit({ as: { accountRef, role: 'member' }, hasScripts })
      await open('/dashboard/prospect-lists')
      await type(page, page.getByLabel('What you sell, and to whom'), wish)
      await press(page, page.getByRole('button', { name: 'Request the list' }))
      await page.getByRole('cell', { name: 'requested' }).waitFor()
      expect(await page.getByRole('row').count()).toBe(2)
    })

    test('the lists and a ready one look as they should', async () => {
      const { accountRef } = await site.service.customer()
      const visitor = await site.visit({ as: { accountRef, role: 'member' } })
      const { page, open } = visitor
      await open('/dashboard/prospect-lists')
      await inspect(visitor, 'lists-empty')
      await page.getByLabel('What you sell, and to whom').fill(wish)
      await page.getByRole('button', { name: 'Request the list' }).click()
      await inspect(visitor, 'lists')
      await page.getByRole('cell').getByRole('link').click()
      await inspect(visitor, 'list-requested')
      const { live, now } = site.service.service
      const ref = new URL(page.url()).pathname.split('/').at(-1) as string
      await prepareProspectList(live, ref)
      await deliverProspectList(live, ref, { result: fullResult, now: now() })
      await page.reload()
      await inspect(visitor, 'list-ready')
    })
  },
)
