import { describe, expect, test } from 'vitest'
import { methodsOn, studiosOn } from './fixture.ts'

describe('pictures that styles draw', () => {
  test.each([
    ['a picture', '<i style="background-image:url(/pay/jeton.svg)"></i>'],
    ['quotes', `<i style="background-image: url('/pay/jeton.svg')"></i>`],
    ['entities', '<i style="background-image:url(&quot;/pay/jeton.svg&quot;)"></i>'],
    ['a short property', '<i style="color:red;background:url(/pay/jeton.png) no-repeat center"></i>'],
    ['a mask', '<i style="-webkit-mask:url(/pay/jeton.svg)"></i>'],
    ['a script that loads it late', '<i data-bg="/pay/jeton.svg"></i>'],
  ])('a payment method is read from the style of an element: %s', (_name, html) => {
    expect(methodsOn(html)).toEqual(['jeton'])
  })

  test('studios are read from folders of providers in several languages', () => {
    expect(studiosOn('<a style="background:url(/vyrobci/synot-games.svg)"></a>')).toEqual(['synot-games'])
    expect(studiosOn('<a style="background:url(/saglayicilar/evolution.png)"></a>')).toEqual(['evolution'])
  })

  test.each([
    '<div style="background-image:url(/img/jeton-de-casino.jpg)"></div>',
    '<div style="display:none"><i style="background:url(/pay/jeton.svg)"></i></div>',
    '<div style="background:url(/img/evolution-of-a-manor.jpg)"></div>',
  ])('no brand is read from %s', html => {
    expect([...methodsOn(html), ...studiosOn(html)]).toEqual([])
  })
})

describe('links without a text', () => {
  const links = (...titles: string[]) => titles.map(title => `<a href=/b title="${title}"></a>`).join('')

  test('their titles are the names of payment methods or studios', () => {
    expect(methodsOn(links('Visa', 'Skrill', 'Neosurf'))).toEqual(['neosurf', 'skrill', 'visa'])
    expect(methodsOn(`<footer class=pay>${links('Visa')}</footer>`)).toEqual(['visa'])
    expect(studiosOn(links('NetEnt', 'Yggdrasil', 'Hacksaw Gaming'))).toEqual([
      'hacksaw-gaming',
      'netent',
      'yggdrasil',
    ])
    expect(methodsOn('<a href=/b aria-label="Skrill"><span></span></a>')).toEqual(['skrill'])
  })

  test('titles that are no names, and titles of links with a text, show nothing', () => {
    expect(methodsOn(links('Visa rules for travelling fans', 'Why we said goodbye to Skrill'))).toEqual([])
    expect(methodsOn('<a href=/b title="Skrill">Our wallet guide</a>')).toEqual([])
  })
})

describe('pictures below a heading', () => {
  test('an ordinary name counts below a heading about payment methods', () => {
    expect(methodsOn('<h4>Métodos de pagamento</h4><img src="/i/9f2.svg" alt="PIX">')).toEqual(['pix'])
    expect(methodsOn('<h3>Métodos de pago</h3><div><img alt="CoDi"></div>')).toEqual(['codi'])
    expect(methodsOn('<section aria-label="Métodos de pago"><img alt="PIX"></section>')).toEqual(['pix'])
  })

  test('a picture elsewhere, or below a refusing heading, shows no method', () => {
    expect(methodsOn('<h1>Cada pix conta</h1><img src="/pix.jpg" alt="PIX">')).toEqual([])
    expect(
      methodsOn('<section><h4>Payment methods</h4><p>Cards</p></section><section><img alt="Dash"></section>'),
    ).toEqual([])
    expect(methodsOn('<h3>No longer available</h3><img alt="Skrill"><img alt="PayPal">')).toEqual([])
  })
})
