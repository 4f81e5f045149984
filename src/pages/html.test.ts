import { expect, test } from 'vitest'
import { html } from './html.ts'

test('text is escaped wherever it is inserted, and markup made by html`` is not', () => {
  const name = '<script>"x"</script> & \'y\''
  expect(html`<p title="${name}">${[name, html`<b>${1}</b>`, null, false]}</p>`.text).toBe(
    '<p title="&lt;script&gt;&quot;x&quot;&lt;/script&gt; &amp; &#39;y&#39;">' +
      '&lt;script&gt;&quot;x&quot;&lt;/script&gt; &amp; &#39;y&#39;<b>1</b></p>',
  )
})
