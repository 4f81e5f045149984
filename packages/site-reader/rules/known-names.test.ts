import { describe, expect, test } from 'vitest'
import { methodsOn, studiosOn } from '../page/fixture.ts'

const items = (...names: string[]) => `<ul>${names.map(name => `<li>${name}</li>`).join('')}</ul>`
const marks = (...names: string[]) => names.map(name => `<img src="/b/1.png" alt="${name}">`).join('')

describe('payment methods of countries', () => {
  test.each([
    [
      'Turkey',
      items('Papara', 'Papel', 'Payco', 'Parazula', 'CepBank', 'Paycell'),
      ['cepbank', 'papara', 'papel', 'parazula', 'paycell', 'payco'],
    ],
    ['Turkey, as marks', marks('Pep', 'CMT', 'Payfix', 'Papara'), ['cmt', 'papara', 'payfix', 'pep']],
    [
      'Thailand',
      marks('SCB', 'KBank', 'Krungthai', 'Bangkok Bank'),
      ['bangkok-bank', 'kbank', 'krungthai', 'scb'],
    ],
    [
      'Thailand, in its script',
      items('ธนาคารไทยพาณิชย์', 'ธนาคารกสิกรไทย', 'ธนาคารกรุงไทย', 'พร้อมเพย์ (PromptPay)'),
      ['kbank', 'krungthai', 'promptpay', 'scb'],
    ],
    ['Mexico', marks('CoDi', 'SPEI', 'OXXO'), ['codi', 'oxxo', 'spei']],
    [
      'South Africa',
      items('Ozow', 'Absa', 'FNB', 'Nedbank', '1ForYou'),
      ['1foryou', 'absa', 'fnb', 'nedbank', 'ozow'],
    ],
  ])('methods of %s are read', (_name, html, expected) => {
    expect(methodsOn(html)).toEqual(expected)
  })

  test.each([
    '<p>Enviamos o papel em 3 dias. Pep, o gato, faz a embalagem.</p>',
    '<h1>Cada foto conta</h1><img src="/scb.jpg" alt="SCB"><img src="/pix.jpg" alt="PIX">',
    '<h1>Ödeme</h1><p>Papel ile yatırım şu anda kapalıdır.</p>',
  ])('no method is read from %s', html => {
    expect(methodsOn(html)).toEqual([])
  })
})

describe('suppliers by their usual names', () => {
  test.each([
    ['EGT in a filter', items('EGT', 'Fazi', 'GameArt'), ['egt', 'fazi', 'gameart']],
    ['EGT below a game', '<img alt="Shining Crown" title="Shining Crown (EGT)">', ['egt']],
    [
      'EGT beside EGT Digital',
      '<table><tr><td>Super Hot<td>EGT<tr><td>Bell<td>EGT Digital<tr><td>Chilli<td>CT Interactive</table>',
      ['ct-interactive', 'egt', 'egt-digital'],
    ],
    ['EGT Interactive, of today', '<p>Slots by EGT Interactive</p>', ['amusnet']],
    [
      'Betby by its host',
      '<script src="https://ui.invisiblesport.com/bt-renderer.min.js"></script>',
      ['betby'],
    ],
    [
      'Betby by its content network',
      '<script src="https://cdn.sptsportscdn.com/sdk/app.js"></script>',
      ['betby'],
    ],
    ['Kambi in a sentence', '<p>Sports betting powered by Kambi.</p>', ['kambi']],
    [
      'studios of Asia',
      items('JILI', 'Fa Chai', 'FastSpin', 'SimplePlay'),
      ['fa-chai', 'fastspin', 'jili', 'simpleplay'],
    ],
  ])('a supplier is read: %s', (_name, html, expected) => {
    expect(studiosOn(html)).toEqual(expected)
  })

  test.each([
    '<ul><li>EGT sensor – exhaust gas temperature</li><li>EGR valve</li></ul><p>The EGT probe is faulty.</p>',
    '<a href="https://blog.example/invisible-sport">invisiblesport.com</a>',
    '<article><h2>Lucky Streak 3</h2><p>RTP 96 %</p></article>',
  ])('no supplier is read from %s', html => {
    expect(studiosOn(html)).toEqual([])
  })
})

describe('refusals and rules of the house', () => {
  const game = '<li>9 Lions (Wazdan)</li>'
  test.each([
    'We have never offered titles of NetEnt.',
    '4.2 Staff of NetEnt and of its subsidiaries may not play here.',
    'Los empleados de NetEnt no pueden abrir cuenta.',
    'Игр NetEnt у нас нет и не было.',
    'Personeel van NetEnt mag niet deelnemen.',
    'Promotion terms: NetEnt reserves the right to its marks; its games are not part of this site.',
  ])('a studio in "%s" is not offered', text => {
    expect(studiosOn(`<ul>${game}</ul><p>${text}</p>`)).toEqual(['wazdan'])
  })

  test.each([
    'We pulled out of PayPal in March.',
    'PayPal was taken out of our cashier.',
    'We stopped offering PayPal deposits.',
    'Deposits by PayPal were possible until 2024.',
    'Hemos dejado de ofrecer PayPal para depósitos.',
    "Using a third person's PayPal account for a deposit is forbidden.",
    'Deposits with a stolen PayPal card are reported.',
    'Chargebacks of PayPal deposits are reported.',
    'Платежи с чужого кошелька PayPal возвращаются, депозит с чужой карты тоже.',
  ])('a method in "%s" is not accepted', text => {
    expect(methodsOn(`<h1>Payment methods</h1><p>Skrill</p><p>${text}</p>`)).toEqual(['skrill'])
  })

  test.each([
    'Never a dull day: NetEnt fills our lobby, and staff picks change on Fridays.',
    'No fees, no waiting: NetEnt is here.',
    'The offer is valid on slots by NetEnt. We reserve the right to end it.',
  ])('a studio in "%s" is offered', text => {
    expect(studiosOn(`<p>${text}</p>`)).toEqual(['netent'])
  })
})
