import createPurifier, { type Config } from 'dompurify'
import fc from 'fast-check'
import { JSDOM } from 'jsdom'
import { describe, expect, test } from 'vitest'
import { readSvg } from './read-svg.ts'

const open =
  '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 8 8">'
const drawn = '<path d="M0 0h8v8z"/>'
const made = (inside: string) => readSvg(`${open}${inside}${drawn}</svg>`).text
const clean = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M0 0h8v8z"/></svg>'

// Another judge, of another school: what it would take out has no business in what we made.
const purifier = createPurifier(new JSDOM('').window)
const strict: Config = {
  USE_PROFILES: { svg: true },
  FORBID_TAGS: ['style', 'script', 'a', 'image', 'use', 'foreignObject', 'animate', 'set'],
  FORBID_ATTR: ['style', 'class'],
}
function objections(svg: string): (string | undefined)[] {
  purifier.sanitize(svg, strict)
  const removed = purifier.removed.map(each =>
    'attribute' in each ? each.attribute?.name : each.element.nodeName,
  )
  // The page that it puts around what it reads.
  return removed.filter(name => name !== 'BODY')
}

const hostile: [what: string, inside: string][] = [
  ['a script', '<script>alert(1)</script>'],
  ['a script as data', '<script><![CDATA[alert(1)]]></script>'],
  ['a script by reference', '<script xlink:href="https://evil.test/x.js"/>'],
  ['a script of another namespace', '<h:script xmlns:h="http://www.w3.org/1999/xhtml">alert(1)</h:script>'],
  ['HTML', '<foreignObject><body xmlns="http://www.w3.org/1999/xhtml" onload="alert(1)"/></foreignObject>'],
  ['HTML without its wrapper', '<iframe xmlns="http://www.w3.org/1999/xhtml" src="javascript:alert(1)"/>'],
  ['an image from afar', '<image href="https://evil.test/pixel.png"/>'],
  ['an image from afar, spelt the old way', '<image xlink:href="//evil.test/pixel.png"/>'],
  ['an image inside', '<image href="data:image/svg+xml;base64,PHN2Zz4="/>'],
  ['a filter that fetches', '<filter id="f"><feImage href="https://evil.test/x"/></filter>'],
  ['a copy', '<use href="#a"/>'],
  ['a copy from afar', '<use xlink:href="https://evil.test/x.svg#a"/>'],
  ['an animation', '<animate attributeName="href" to="javascript:alert(1)"/>'],
  ['a value that is set', '<set attributeName="onmouseover" to="alert(1)"/>'],
  ['a style sheet that fetches', '<style>@import url(https://evil.test/x.css);</style>'],
  [
    'a style sheet in a place of its own',
    '<defs><style>*{background:url(//evil.test)}</style></defs>'.slice(6, -7),
  ],
  ['a style sheet of HTML', '<style xmlns="http://www.w3.org/1999/xhtml">*{color:red}</style>'],
  ['a comment', '<!-- <script>alert(1)</script> -->'],
  ['an instruction', '<?xml-stylesheet href="https://evil.test/x.css"?>'],
  [
    'an editor’s notes',
    '<metadata><rdf:RDF xmlns:rdf="urn:x"><rdf:li>secret path</rdf:li></rdf:RDF></metadata>',
  ],
  ['a nested drawing', '<svg><script>alert(1)</script></svg>'],
  ['a symbol', '<symbol id="s"><path d="M0 0"/></symbol>'],
  ['a pattern', '<pattern id="p"><rect width="1" height="1"/></pattern>'],
  ['text where none is seen', 'javascript:alert(1)'],
]

test.each(hostile)('%s is not kept', (_what, inside) => {
  expect(made(inside)).toBe(clean)
})

test.each([
  ['onload', 'alert(1)'],
  ['onclick', 'alert(1)'],
  ['xlink:title', 'x'],
  ['href', 'javascript:alert(1)'],
  ['xlink:href', 'javascript:alert(1)'],
  ['xml:base', 'https://evil.test/'],
  ['style', 'background:url(https://evil.test/x)'],
  ['style', 'fill:url(https://evil.test/x#a)'],
  ['fill', 'url(https://evil.test/x#a)'],
  ['fill', 'url( //evil.test/x#a)'],
  ['fill', 'url("data:image/svg+xml,x#a")'],
  ['fill', 'u\\72l(https://evil.test)'],
  ['fill', 'image-set("https://evil.test/x" 1x)'],
  ['stroke', 'url(#a) url(https://evil.test)'],
  ['filter', 'url(#f)'],
  ['cursor', 'url(https://evil.test/x.cur), auto'],
  ['class', 'x'],
  ['data-secret', 'x'],
  ['id', 'a b'],
  ['font-family', 'x;}*{background:url(//evil.test)}'],
])('the attribute %s="%s" is not kept', (name, value) => {
  const text = readSvg(`${open}<path ${name}="${value.replaceAll('"', '&quot;')}" d="M0 0h8v8z"/></svg>`).text
  expect(text).toBe(clean)
})

test.each([
  ['that is not whole', `${open}<path d="M0 0"/>`, /is not whole XML/],
  ['with an element left open', `${open}<g><path d="M0 0"/></svg>`, /is not whole XML/],
  ['with two roots', `${clean}${clean}`, /is not whole XML/],
  ['of another language', '<html><body/></html>', /is XML, but no SVG/],
  ['with an unbound prefix', '<svg><x:y/><path d="M0 0"/></svg>', /is not whole XML/],
  ['with an entity', '<!DOCTYPE svg [<!ENTITY x "y">]><svg>&x;</svg>', /document type with declarations/],
  [
    'with an entity from a file',
    '<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg>&x;</svg>',
    /document type/,
  ],
  ['with an entity that nobody declared', '<svg><text>&x;</text></svg>', /is not whole XML/],
  ['that shows nothing', `${open}<use href="#a"/></svg>`, /nothing that can be shown/],
  ['that shows what is not taken', `${open}<image href="logo.png"/></svg>`, /nothing that can be shown/],
  ['of too many elements', `${open}${'<g/>'.repeat(5_000)}${drawn}</svg>`, /more than 5000 elements/],
  ['that is too deep', `${open}${'<g>'.repeat(64)}${drawn}${'</g>'.repeat(64)}</svg>`, /deeper than 64/],
  [
    'of too much style',
    `${open}<style>${'.a{fill:red}'.repeat(3_000)}</style>${drawn}</svg>`,
    /style sheets of more/,
  ],
  [
    'that its style makes many times as large',
    `${open}<style>.a{stroke-dasharray:${'1 '.repeat(1_000)}}</style>${'<path class="a" d="M0 0"/>'.repeat(300)}</svg>`,
    /more than 524288 bytes when each of its shapes/,
  ],
])('a drawing %s is refused', (_what, text, reason) => {
  expect(() => readSvg(text)).toThrow(reason)
})

/** A few milliseconds are enough; where the work grows with the square of the file, a minute is not. */
const readMsMax = 5_000

describe('a drawing takes no longer to read than its size asks for', () => {
  test(
    'though its sheet says the same of one class a thousand times a thousand times',
    () => {
      const sheet = `${Array(1_000).fill('.a').join(',')}{${'fill:red;'.repeat(1_000)}fill:#123}`
      const text = made(`<style>${sheet}</style>${'<path class="a" d="M0 0"/>'.repeat(60)}`)
      expect(text.match(/<path d="M0 0" fill="#123"\/>/g)).toHaveLength(60)
    },
    readMsMax,
  )

  test(
    'though a property of it is blanks for the most part',
    () => {
      const blanks = ' '.repeat(200_000)
      expect(made(`<circle style="fill:red${blanks}!${blanks}important" r="1"/>`)).toContain(
        '<circle r="1" fill="red"/>',
      )
      expect(made(`<circle style="fill:${blanks}!x" r="1"/>`)).toContain('<circle r="1"/>')
    },
    readMsMax,
  )
})

describe('what is kept', () => {
  test('is the picture: shapes, groups, gradients, masks and text', () => {
    const inside =
      '<title>A &amp; B</title><defs><linearGradient id="g" x1="0" x2="1"><stop offset="0" stop-color="#fff"/></linearGradient>' +
      '<radialGradient id="h" href="#g"/><clipPath id="c"><circle r="3"/></clipPath></defs>' +
      '<g transform="rotate(45 4 4)" fill="url(#g) none" clip-path="url(#c)"><ellipse rx="1" ry="2"/></g>' +
      '<text x="1" font-family="\'Gill Sans\', sans-serif">A<tspan dy="1">é&lt;</tspan></text>'
    expect(made(inside)).toBe(clean.replace('<path', `${inside.replaceAll('"', '"')}<path`))
  })

  test('comes out of links and switches, which go', () => {
    expect(made('<a href="https://evil.test"><circle r="1"/></a><switch><line x1="1"/></switch>')).toBe(
      clean.replace('<path', '<circle r="1"/><line x1="1"/><path'),
    )
  })

  test('has the colours that its style sheet and its styles give it', () => {
    const style =
      '.a,.b{fill:#f00;stroke:#00f}/* } */@media print{.a{fill:#000}}path{fill:#0f0}.b{stroke:none!important}'
    expect(
      readSvg(
        `${open}<style type="text/css">${style}</style><path class="a b" fill="#fff" style="opacity:.5; fill: #123" d="M0 0h8v8z"/></svg>`,
      ).text,
    ).toBe(
      clean.replace('<path d=', '<path fill="#123" d=').replace('z"/>', 'z" stroke="none" opacity=".5"/>'),
    )
  })

  test('has the later of two colours for a class, and passes over one that cannot be written', () => {
    const style = '.b{fill:#0f0}.a{fill:#f00}.b{stroke:#00f;stroke:url(https://evil.test/x#a)}'
    expect(readSvg(`${open}<style>${style}</style><path class="b a" d="M0 0h8v8z"/></svg>`).text).toBe(
      clean.replace('z"/>', 'z" fill="#f00" stroke="#00f"/>'),
    )
  })

  test('never cuts what cuts: masks in masks, level by level, are what a renderer never ends with', () => {
    const level = (each: number) =>
      `<mask id="m${each}"><rect width="8" height="8" mask="url(#m${each - 1})"/><rect width="8" height="8" mask="url(#m${each - 1})"/></mask>`
    const text = made([1, 2, 3].map(level).join(''))
    expect(text.match(/<mask/g)).toHaveLength(3)
    expect(text).not.toContain('mask=')
  })

  test('is told in pixels, by the drawing itself or its view box', () => {
    const size = (attributes: string) => {
      const { width, height } = readSvg(`<svg ${attributes}>${drawn}</svg>`)
      return [width, height]
    }
    expect(size('width="120px" height="60.4" viewBox="0 0 1 1"')).toEqual([120, 60])
    expect(size('width="100%" height="100%" viewBox="0,0 24 12"')).toEqual([24, 12])
    expect(size('width="2em" height="1em"')).toEqual([null, null])
    expect(size('viewBox="0 0 -1 1e999"')).toEqual([null, null])
    expect(size('')).toEqual([null, null])
  })

  test('of a file without a namespace gets it, so that browsers show it', () => {
    expect(readSvg(`<svg>${drawn}</svg>`).text).toContain('<svg xmlns="http://www.w3.org/2000/svg">')
  })

  test('survives the harmless document type of old drawing programs', () => {
    const doctype =
      '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">'
    expect(readSvg(`<?xml version="1.0"?>${doctype}${clean}`).text).toBe(clean)
  })
})

const name = fc.constantFrom(
  ...[
    'g',
    'path',
    'text',
    'mask',
    'a',
    'style',
    'script',
    'use',
    'image',
    'linearGradient',
    'foreignObject',
    'title',
  ],
)
const attribute = fc.constantFrom(
  ...[
    'onload="alert(1)"',
    'href="javascript:x"',
    'href="#a"',
    'fill="url(#a)"',
    'fill="url(//x.test)"',
    'id="a"',
  ],
  ...[
    'style="fill:red;x:url(y)"',
    'class="k"',
    'd="M0 0"',
    'mask="url(#a)"',
    'font-family="&lt;&amp;&quot;"',
  ],
)
const tree: fc.Arbitrary<string> = fc.letrec(tie => ({
  node: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom('.k{fill:#fff}', 'text &lt;b&gt; &amp;amp; ]]&gt;', '<!-- x -->', '\u00e9\u{1f9a6}'),
    fc
      .tuple(
        name,
        fc.uniqueArray(attribute, { selector: each => each.split('=')[0], maxLength: 4 }),
        fc.array(tie('node'), { maxLength: 3 }),
      )
      .map(
        ([tag, attributes, children]) => `<${[tag, ...attributes].join(' ')}>${children.join('')}</${tag}>`,
      ),
  ),
})).node as fc.Arbitrary<string>

test('whatever comes: what is made is made of itself again, and another sanitiser finds nothing to take out', () => {
  fc.assert(
    fc.property(fc.array(tree, { maxLength: 4 }), nodes => {
      const text = made(nodes.join(''))
      expect(readSvg(text).text).toBe(text)
      expect(objections(text)).toEqual([])
    }),
    { numRuns: 200 },
  )
})

test('the other sanitiser is awake', () => {
  expect(objections(`${open}<script>alert(1)</script>${drawn}</svg>`)).not.toEqual([])
  expect(objections(`${open}<path onload="x"/></svg>`)).not.toEqual([])
})
