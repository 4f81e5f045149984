import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasChromium, type Pages, servePages, testRenderer, visitOf } from './fixture.ts'
import type { Renderer } from './open-renderer.ts'

const card = (text: string, style: string) => `<p style="${style}">${text}</p>`
const rows = Array.from({ length: 40 }, (_, row) => `<p style="height:200px">row ${row}</p>`).join('')

const answers = {
  'http://filled.example/': `<title>Shell</title><div id="app"></div><script src="/app.js"></script>`,
  'http://filled.example/app.js': `
    fetch('/games.json').then(answer => answer.json()).then(names => {
      app.innerHTML = '<h1>' + names.join(', ') + '</h1>'
      app.attachShadow({ mode: 'open' }).innerHTML = '<b>in a shadow</b><slot></slot>'
    })
    localStorage.visits = 1 + Number(localStorage.visits ?? 0)
    document.title = 'Visit ' + localStorage.visits + ' with ' + typeof navigator.serviceWorker`,
  'http://filled.example/games.json': '["Reel One", "Reel Two"]',
  'http://hiding.example/': [
    card('without a box', 'display:none'),
    card('invisible', 'visibility:hidden'),
    card('transparent', 'opacity:0'),
    card('in a pixel', 'width:1px;height:1px;overflow:hidden'),
    card('cut to nothing', 'clip-path:inset(50%)'),
    card('left of the page', 'position:absolute;left:-9999px'),
    card('folded', 'height:0;overflow:hidden'),
    '<p hidden>hidden</p><template>inert</template><noscript>without scripts</noscript>',
    '<div style="visibility:hidden">not this<p style="visibility:visible">but this</p></div>',
    '<div style="display:contents">without its own box</div><p>shown &amp; escaped</p>',
  ].join(''),
  'http://framed.example/': `<iframe src="/same" width="300" height="200"></iframe>
    <iframe src="http://other.example/" width="300" height="200"></iframe>
    <iframe src="http://pixel.example/" width="1" height="1"></iframe>`,
  'http://framed.example/same': '<p>of the same origin</p>',
  'http://other.example/': '<p>of another origin</p>',
  'http://pixel.example/': '<p>too small to see</p>',
  'http://pictures.example/': '<img src="/a.png" alt="A picture"><video src="/b.mp4"></video>',
  'http://away.example/': '<script>location.replace("http://arrived.example/")</script>',
  'http://arrived.example/': '<p>arrived</p>',
  'http://long.example/': rows,
  'http://lazy.example/': `<p id="place"></p><div style="height:3000px"></div><footer style="min-height:50px"></footer><script>
    addEventListener('scroll', () => { place.textContent = 'scrolled to ' + scrollY })
    new IntersectionObserver(([entry]) => {
      if (entry.isIntersecting) fetch('/end').then(answer => answer.text()).then(text => {
        document.querySelector('footer').innerHTML = text
      })
    }).observe(document.querySelector('footer'))</script>`,
  'http://lazy.example/end': '<p>filled in view</p>',
  'http://late.example/': `<script>setTimeout(() => document.body.insertAdjacentHTML('beforeend', '<p id="late">late</p>'), 2000)</script>`,
  'http://greedy.example/': `<p>greedy</p><script>for (let i = 0; i < 300; i++) fetch('/' + i)</script>`,
  'http://asking.example/': `<p>asking</p>
    <script>alert(1); confirm(2); document.body.append('asked ' + open('http://popup.example/'))</script>`,
}

describe.skipIf(!hasChromium)('a rendered page', () => {
  let pages: Pages
  let renderer: Renderer

  beforeAll(async () => {
    pages = await servePages(answers)
    renderer = testRenderer(pages)
  })
  afterAll(async () => {
    await renderer.close()
    await pages[Symbol.asyncDispose]()
  })

  const see = (host: string, request: object = {}) =>
    renderer.render(visitOf(`http://${host}.example/`, request))

  test('a page shows what its script fetched, with open shadow roots laid in', async () => {
    const { dom, status, finalUrl, reason, truncated } = await see('filled')
    expect({ status, finalUrl, reason, truncated }).toEqual({
      status: 200,
      finalUrl: 'http://filled.example/',
      reason: null,
      truncated: false,
    })
    expect(dom).toContain('<b>in a shadow</b>')
    expect(dom).toContain('<h1>Reel One, Reel Two</h1>')
  })

  test('a second visit finds nothing that the first one stored, and no service worker', async () => {
    await see('filled')
    expect((await see('filled')).dom).toContain('<title>Visit 1 with undefined</title>')
  })

  test('a page shows only what is visible', async () => {
    const { dom } = await see('hiding')
    const text = dom
      ?.replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim()
    expect(text).toBe('but this without its own box shown &#38; escaped')
  })

  test('frames of the same origin are part of the page, and visible others stand beside it', async () => {
    const { dom, frames } = await see('framed')
    expect(dom).toContain('of the same origin')
    expect(dom).not.toContain('of another origin')
    expect(frames).toEqual([
      { url: 'http://other.example/', dom: expect.stringContaining('of another origin') },
    ])
  })

  test('pictures and media are not fetched, and their addresses stay', async () => {
    const { dom } = await see('pictures')
    expect(dom).toContain('<img src="/a.png" alt="A picture">')
    expect(pages.requests.filter(url => /a\.png|b\.mp4/.test(url))).toEqual([])
  })

  test('the chain has the pages that a script led to', async () => {
    const { chain, finalUrl } = await see('away')
    expect(chain).toEqual(['http://away.example/', 'http://arrived.example/'])
    expect(finalUrl).toBe('http://arrived.example/')
  })

  test('each scroll shows a further part, and boxes say where it is', async () => {
    const { steps, dom } = await see('long', { scrolls: 3, hasBoxes: true })
    expect(steps).toHaveLength(3)
    expect(dom).toMatch(/data-box="8 \d+ \d+ 200"[^>]*>row 39/)
  })

  test('a visit that sees the end reads what is filled when it comes into view', async () => {
    expect((await see('lazy')).dom).not.toContain('filled in view')
    const { dom, steps } = await see('lazy', { seesEnd: true })
    expect(dom).toContain('<p>filled in view</p>')
    expect(dom).toContain('scrolled to 0<')
    expect(steps).toEqual([])
  })

  test('a visit waits for a selector', async () => {
    expect((await see('late', { waitFor: '#late' })).dom).toContain('>late</p>')
  })

  test('more requests than the budget has are refused, and the page is cut', async () => {
    const { truncated, dom } = await see('greedy')
    expect(dom).toContain('greedy')
    expect(truncated).toBe(true)
    expect(pages.requests.filter(url => url.startsWith('http://greedy')).length).toBeLessThanOrEqual(60)
  })

  test('a page opens no window, and its dialogs are dismissed', async () => {
    const { dom } = await see('asking')
    expect(dom).toContain('asked null')
    expect(pages.requests).not.toContain('http://popup.example/')
  })

  test('a host without a page is unreachable, not an error', async () => {
    const elsewhere = testRenderer(pages, {
      openProxy: async () => ({
        port: 9,
        isUsedUp: () => false,
        failureOf: () => 'no such name',
        [Symbol.asyncDispose]: async () => {},
      }),
    })
    const seen = await elsewhere.render(visitOf('http://nowhere.example/'))
    await elsewhere.close()
    expect(seen).toMatchObject({
      dom: null,
      reason: 'unreachable',
      message: expect.stringContaining('no such name'),
    })
    expect((await renderer.render(visitOf('file:///etc/passwd'))).reason).toBe('unreachable')
  })
})
