import { describe, expect, test } from 'vitest'
import { methodsOn, parsed } from './fixture.ts'

const texts = (html: string) => parsed(html).texts.map(({ text }) => text)

describe('blocks that a server streams', () => {
  const move = '<script>$RC("B:0","S:0")</script>'
  test.each([
    ['a block', `<p><template id="B:0"></template></p><div hidden id="S:0"><p>Visa</p></div>${move}`],
    ['a block with a letter', '<div hidden="" id="S:1f"><p>Visa</p></div>'],
    ['a place', '<div hidden id="P:2"><p>Visa</p></div>'],
    ['a block with a prefix', '<div hidden id="lobby-S:0">Visa</div>'],
    ['rows of a table', '<table hidden><tbody id="S:3"><tr><td>Visa</td></tr></tbody></table>'],
  ])('%s is visible, because a script moves it into place', (_name, html) => {
    expect(texts(html)).toEqual(['Visa'])
  })

  test.each([
    ['a hidden element of another id', '<div hidden id="S:promo"><p>Visa</p></div>'],
    ['a hidden element within a block', '<div hidden id="S:0"><p hidden>Visa</p></div>'],
    [
      'a block whose place is hidden',
      '<div hidden><template id="B:0"></template></div><div hidden id="S:0">Visa</div>',
    ],
    ['a block within a template', '<template><div hidden id="S:0">Visa</div></template>'],
  ])('%s is not visible', (_name, html) => {
    expect(texts(html)).toEqual([])
  })

  test('pictures and hosts of a streamed block are read', () => {
    expect(methodsOn('<div hidden id="S:0"><img alt="Jeton wallet"><img alt="MiFinity"></div>')).toEqual([
      'jeton',
      'mifinity',
    ])
  })
})

describe('declarative shadow roots', () => {
  test.each(['open', 'closed', 'OPEN'])('a shadow root of the mode %s is visible and loads', mode => {
    const content = '<p>Visa</p><img src="//a.example/t.svg">'
    const html = `<x-foot><template shadowrootmode="${mode}">${content}</template></x-foot>`
    expect(texts(html)).toEqual(['Visa'])
    expect(parsed(html).hosts).toMatchObject([{ host: 'a.example' }])
  })

  test('a shadow root within another is visible, and a plain template within one is not', () => {
    const inner = '<y-b><template shadowrootmode=open>Visa</template></y-b>'
    expect(texts(`<x-a><template shadowrootmode=open>${inner}</template></x-a>`)).toEqual(['Visa'])
    expect(texts(`<x-a><template shadowrootmode=open><template>Visa</template></template></x-a>`)).toEqual([])
  })

  test('a template without a mode, and a shadow root in a hidden element, are not visible', () => {
    expect(texts('<x-a><template shadowroot><p>Visa</p></template></x-a>')).toEqual([])
    expect(texts('<x-a hidden><template shadowrootmode=open><p>Visa</p></template></x-a>')).toEqual([])
  })
})
