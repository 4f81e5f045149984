import { describe, expect, test } from 'vitest'
import { parsed } from './fixture.ts'

const texts = (html: string) => parsed(html).texts.map(({ text }) => text)

describe('visible text', () => {
  test.each([
    ['a hidden element', '<p>Casino<p hidden>Visa<p>Poker', ['Casino', 'Poker']],
    [
      'inline display:none',
      '<div style="color:red; display : none">Visa<div>Skrill</div></div>Poker',
      ['Poker'],
    ],
    ['template', '<template><p>Visa</p></template>Poker', ['Poker']],
    ['noscript', '<noscript><p>Visa</p></noscript>Poker', ['Poker']],
    ['script and style', '<script>"<p>Visa"</script><style>a{content:"Visa"}</style>Poker', ['Poker']],
    ['an iframe’s own text', '<iframe src=/a><p>Visa</p></iframe>Poker', ['Poker']],
    ['a comment', '<!-- Visa --> Poker', ['Poker']],
    ['style within SVG', '<svg><style>Visa</style></svg>Poker', ['Poker']],
  ])('visible text excludes %s', (_name, html, expected) => {
    expect(texts(html)).toEqual(expected)
  })

  test('a stray end tag does not uncover a hidden element', () => {
    expect(texts('<b><div hidden></b>Visa</div></b>Poker')).toEqual(['Poker'])
    expect(texts('<div><table hidden><tr><td></div>Visa</table>Poker')).toEqual(['Poker'])
  })

  test('hidden items and cells without end tags hide only themselves', () => {
    expect(texts('<ul><li hidden>Visa<li>Skrill</ul>')).toEqual(['Skrill'])
    expect(texts('<table><tr><td hidden>Visa<td>Skrill<tr><td>Poker</table>')).toEqual(['Skrill', 'Poker'])
  })

  test('each block element is a separate text with its tag, and inline elements are part of it', () => {
    const { texts } = parsed('<h1>Lucky <b>O</b>tter</h1><footer><p>18+<br>Play <i>safe</i></footer>')
    expect(texts).toMatchObject([
      { text: 'Lucky Otter', tag: 'h1' },
      { text: '18+ Play safe', tag: 'p' },
    ])
  })

  test('neighbouring inline elements are different words', () => {
    expect(texts('<nav><a href=/c>Casino</a><a href=/l>Live</a></nav>')).toEqual(['Casino Live'])
  })

  test('the count of visible characters excludes markup', () => {
    expect(parsed('<p>four</p>\n<script>1234567</script>').textCharacters).toBe(4)
  })

  test('text deeper than 256 elements is not visible', () => {
    expect(texts(`${'<div>'.repeat(300)}Visa${'</div>'.repeat(300)}Poker`)).toEqual(['Poker'])
  })
})

describe('encodings', () => {
  const latin = (text: string) => Uint8Array.from(Buffer.from(text, 'latin1'))
  test.each([
    ['a header', latin('<title>Casinò</title>'), { 'content-type': 'text/html; charset=ISO-8859-1' }],
    ['meta charset', latin('<!-- x --><meta charset="windows-1252"><title>Casinò</title>'), {}],
    [
      'meta http-equiv',
      latin('<meta http-equiv=Content-Type content="text/html; charset=iso-8859-1"><title>Casinò</title>'),
      {},
    ],
    ['nothing, as windows-1252', latin('<title>Casinò</title>'), {}],
    ['nothing, as UTF-8', Buffer.from('<title>Casinò</title>'), {}],
    [
      'a byte order mark before the header',
      Buffer.from('\ufeff<title>Casinò</title>', 'utf16le'),
      { 'content-type': 'text/html; charset=utf-8' },
    ],
    [
      'an unknown name in the header',
      Buffer.from('<title>Casinò</title>'),
      { 'content-type': 'text/html; charset=utf8mb4' },
    ],
  ])('the encoding of a page is found by %s', (_name, body, headers) => {
    expect(parsed(body, { headers }).title).toBe('Casinò')
  })

  test('a page that is cut within a character is decoded as UTF-8', () => {
    expect(parsed(Buffer.from('<title>Casinò</title><p>ò').subarray(0, -1)).title).toBe('Casinò')
  })
})

describe('hosts', () => {
  test('the hosts of loaded resources are listed with their kind', () => {
    const page = parsed(`<base href="https://cdn.example/a/"><script src="//js.example/x.js?y"></script>
      <iframe src="https://game.example/lobby"></iframe><img src="i.png"><link rel=stylesheet href="https://css.example/">
      <video src="https://video.example/v.mp4"></video><form action="https://pay.example/in"></form>
      <link rel="preconnect" href="https://pre.example"><img hidden src="https://pixel.example/p">
      <script src="/own.js"></script><template><script src="https://no.example/"></script></template>`)
    expect(page.hosts.map(({ via, host, path }) => `${via} ${host}${path}`)).toEqual([
      'script js.example/x.js',
      'frame game.example/lobby',
      'image cdn.example/a/i.png',
      'style css.example/',
      'media video.example/v.mp4',
      'form pay.example/in',
      'preconnect pre.example/',
      'image pixel.example/p',
      'script cdn.example/own.js',
    ])
    expect(page.scripts).toBe(2)
  })

  test('the hosts of policies and of the Link header are listed', () => {
    const page = parsed(
      `<meta http-equiv="Content-Security-Policy" content="frame-src https://*.pay.example:443/x; img-src data:">`,
      {
        headers: {
          'content-security-policy': `default-src 'self' 'nonce-abc'; script-src *.js.example wss://live.example; frame-ancestors https://no.example`,
          link: '<https://fonts.example>; rel=preconnect; crossorigin, <https://luckyotter.example/de>; rel="alternate"; hreflang="de"',
        },
      },
    )
    expect(page.hosts.map(({ via, host, path }) => `${via} ${host}${path}`)).toEqual([
      'csp js.example',
      'csp live.example',
      'preconnect fonts.example/',
      'csp pay.example/x',
    ])
    expect(page.alternates).toEqual([{ lang: 'de', url: 'https://luckyotter.example/de' }])
  })
})

test('a parsed link has its text, the alternative text of its image, and its place', () => {
  const page = parsed(
    '<a href="/x" rel="NoFollow">About <b>us</b>' +
      '<a href="https://seal.example/v?id=1"><img alt="MGA seal" src=s.png></a>' +
      '<div hidden><a href="/no">no</a></div>' +
      '<a href="mailto:help@luckyotter.example">Mail</a>',
  )
  expect(page.links).toEqual([
    {
      url: 'https://luckyotter.example/x',
      host: 'luckyotter.example',
      path: '/x',
      text: 'About us',
      rel: 'nofollow',
    },
    { url: 'https://seal.example/v?id=1', host: 'seal.example', path: '/v', text: 'MGA seal', rel: '' },
    {
      url: 'mailto:help@luckyotter.example',
      host: '',
      path: 'help@luckyotter.example',
      text: 'Mail',
      rel: '',
    },
  ])
})

test.each([
  ['/a/visa-white.svg', 'visa-white'],
  ['/visa.3f2a9c1b.svg', 'visa'],
  ['/static/visa-DwC8a9xQ.webp?v=1', 'visa'],
  ['/visa_electron@2x.png', 'visa_electron'],
  ['/_next/image?url=%2Flogos%2Fskrill.png&w=64', 'skrill'],
  ['/3f2a9c1b7d.png', ''],
  ['/visa-64x64.min.svg', 'visa'],
  ['data:image/png;base64,AAAA', ''],
  ['/sprite.svg#icon-visa', 'icon-visa'],
])('the image file of %s is "%s"', (src, file) => {
  expect(parsed(`<img src="${src}">`).images[0]?.file ?? '').toBe(file)
})

test('images of the header, of the home link and of SVG are listed', () => {
  const page =
    parsed(`<header><img src="/logo.svg" alt="Lucky Otter"></header><a href="/"><img src=/l2.png></a>
    <img data-src="/skrill.png" src="data:,"><svg><title>Visa</title><use href="#pay-visa"/></svg>`)
  expect(page.images.map(({ alt, file, isHeader }) => [alt, file, isHeader])).toEqual([
    ['Lucky Otter', 'logo', true],
    ['', 'l2', true],
    ['', 'skrill', false],
    ['Visa', '', false],
    ['', 'pay-visa', false],
  ])
})

test('a parsed form has its visible inputs', () => {
  const page = parsed(`<form action=/join><input type=hidden name=t><input type=EMAIL name=e>
    <input type=password autocomplete=new-password></form>
    <input name=promo><form hidden><input type=password></form>`)
  expect(page.forms).toEqual([
    {
      action: 'https://luckyotter.example/join',
      inputs: [
        { type: 'email', name: 'e', autocomplete: '' },
        { type: 'password', name: '', autocomplete: 'new-password' },
      ],
    },
    { action: null, inputs: [{ type: 'text', name: 'promo', autocomplete: '' }] },
  ])
})

test('the head of a page gives language, title, canonical, alternates, refresh, metas and cookies', () => {
  const page = parsed(
    `<html lang=de-AT><title> Lucky
      Otter </title><link rel=canonical href=/home><link rel=alternate hreflang=fi href="https://luckyotter.fi.example/">
     <meta http-equiv=refresh content="0; url=https://other.example/"><meta property="og:site_name" content="Otter">`,
    { headers: { 'set-cookie': 'sid=1; expires=Tue, 01 Jan 2030 00:00:00 GMT, __cf_bm=2; path=/' } },
  )
  expect(page).toMatchObject({
    lang: 'de-AT',
    title: 'Lucky Otter',
    canonical: 'https://luckyotter.example/home',
    alternates: [{ lang: 'fi', url: 'https://luckyotter.fi.example/' }],
    refreshTo: '0; url=https://other.example/',
    cookies: ['sid', '__cf_bm'],
  })
  expect(page.metas).toContainEqual({ name: 'og:site_name', content: 'Otter' })
})

test('each JSON-LD object with a type is listed, and text that is not JSON yields none', () => {
  const page = parsed(`<script type="application/ld+json">
      {"@graph":[{"@type":"Organization","name":"Otter","logo":
        {"@type":"ImageObject","url":"/l.png"}}]}</script>
    <script type="application/ld+json">{nonsense</script>`)
  expect(page.jsonLd).toEqual([
    { '@type': 'Organization', name: 'Otter', logo: { '@type': 'ImageObject', url: '/l.png' } },
    { '@type': 'ImageObject', url: '/l.png' },
  ])
})
