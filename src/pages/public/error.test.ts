import { expect, test } from 'vitest'
import { errorPage } from './error.ts'

test('the page of a charge with an unknown outcome does not state that nothing was charged', () => {
  const message = 'The database connection was lost during the charge, which may have succeeded.'
  const page = errorPage({ status: 503, message, code: null, docUrl: null, requestId: 'req_1' })
  expect(page.text).not.toContain('Nothing was charged')
  expect(page.text).toContain('A form that is sent again is charged at most once.')
})
