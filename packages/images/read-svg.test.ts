import createPurifier, { type Config } from 'dompurify'
import fc from 'fast-check'
import { JSDOM } from 'jsdom'
import { describe, expect, test } from 'vitest'
import { readSvg } from './read-svg.ts'

const open =
  '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 8 8">'
const drawn = '<path d="M0 0h8v8z"/>'
const rewritten = (inside: string) => readSvg(`${open}${inside}${drawn}</svg>`).text
const clean = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M0 0h8v8z"/></svg>'

// This independent sanitiser must find nothing to remove in a rewritten SVG.
const purifier = createPurifier(new JSDOM('').window)
const strict: Config = {
  USE_PROFILES: { svg: true },
  FORBID_TAGS: ['style', 'script', 'a', 'image', 'use', 'foreignObject', 'animate', 'set'],
  FORBID_ATTR: ['style', 'class'],
}
function removedBySanitiser(svg: string): (string | undefined)[] {
  purifier.sanitize(svg, strict)
  const removed = purifier.removed.map(each =>
    'attribute' in each ? each.attribute?.name : each.element.nodeName,
  )
  // The sanitiser itself adds a BODY around the SVG.
  return removed.filter(name => name !== 'BODY')
}

const hostile: [what: string, inside: string][] = [
  ['a script', '<script>alert(1)</script>'],
  ['a script as data', '<script><![CDATA[alert(1)]]></script>'],
  ['a script by reference', '<script xlink:href="https://evil.test/x.js"/>'],
  ['a script of another namespace', '<h:script xmlns:h="http://www.w3.org/1999/xhtml">alert(1)</h:script>'],
  ['HTML', '<foreignObject><body xmlns="http://www.w3.org/1999/xhtml" onload="alert(1)"/></foreignObject>'],
  ['HTML without its wrapper', '<iframe xmlns="http://www.w3.org/1999/xhtml" src="javascript:alert(1)"/>'],
  ['a remote image', '<image href="https://evil.test/pixel.png"/>'],
  ['a remote image by xlink', '<image xlink:href="//evil.test/pixel.png"/>'],
  ['an inline image', '<image href="data:image/svg+xml;base64,PHN2Zz4="/>'],
  ['a filter that fetches', '<filter id="f"><feImage href="https://evil.test/x"/></filter>'],
  ['a copy', '<use href="#a"/>'],
  ['a remote copy', '<use xlink:href="https://evil.test/x.svg#a"/>'],
  ['an animation', '<animate attributeName="href" to="javascript:alert(1)"/>'],
  ['a set element', '<set attributeName="onmouseover" to="alert(1)"/>'],
  ['a style sheet that fetches', '<style>@import url(https://evil.test/x.css);</style>'],
  ['a style sheet inside defs', '<defs><style>*{background:url(//evil.test)}</style></defs>'.slice(6, -7)],
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
  ['text outside text elements', 'javascript:alert(1)'],
]

test('rewriting an SVG removes hostile elements', () => {
  expect(hostile.map(([what, inside]) => [what, rewritten(inside)])).toEqual(
    hostile.map(([what]) => [what, clean]),
  )
})

const hostileAttributes = [
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
] as const

test('rewriting an SVG removes hostile attributes', () => {
  const results = hostileAttributes.map(([name, value]) => {
    const quoted = value.replaceAll('"', '&quot;')
    return [name, value, readSvg(`${open}<path ${name}="${quoted}" d="M0 0h8v8z"/></svg>`).text]
  })
  expect(results).toEqual(hostileAttributes.map(([name, value]) => [name, value, clean]))
})

const rejected: [what: string, text: string, reason: string][] = [
  ['truncated', `${open}<path d="M0 0"/>`, 'is not well-formed XML'],
  ['with an open element', `${open}<g><path d="M0 0"/></svg>`, 'is not well-formed XML'],
  ['with two roots', `${clean}${clean}`, 'is not well-formed XML'],
  ['in another language', '<html><body/></html>', 'is XML but not an SVG'],
  ['with an unbound prefix', '<svg><x:y/><path d="M0 0"/></svg>', 'is not well-formed XML'],
  ['with an entity', '<!DOCTYPE svg [<!ENTITY x "y">]><svg>&x;</svg>', 'document type with declarations'],
  [
    'with an entity from a file',
    '<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg>&x;</svg>',
    'document type',
  ],
  ['with an undeclared entity', '<svg><text>&x;</text></svg>', 'is not well-formed XML'],
  ['without a shape', `${open}<use href="#a"/></svg>`, 'has no element that can be shown'],
  ['with only an image', `${open}<image href="logo.png"/></svg>`, 'has no element that can be shown'],
  ['with too many elements', `${open}${'<g/>'.repeat(5_000)}${drawn}</svg>`, 'more than 5000 elements'],
  ['nested too deeply', `${open}${'<g>'.repeat(64)}${drawn}${'</g>'.repeat(64)}</svg>`, 'deeper than 64'],
  [
    'with too large a style sheet',
    `${open}<style>${'.a{fill:red}'.repeat(3_000)}</style>${drawn}</svg>`,
    'style sheets of more',
  ],
  [
    'too large after its styles are inlined',
    `${open}<style>.a{stroke-dasharray:${'1 '.repeat(1_000)}}</style>` +
      `${'<path class="a" d="M0 0"/>'.repeat(300)}</svg>`,
    'more than 524288 bytes after its styles are inlined',
  ],
]

test('a malformed, empty or excessive SVG is rejected with the reason', () => {
  const reasonOf = (text: string) => {
    try {
      return readSvg(text).text
    } catch (error) {
      return (error as Error).message
    }
  }
  expect(rejected.map(([what, text]) => [what, reasonOf(text)])).toEqual(
    rejected.map(([what, , reason]) => [what, expect.stringContaining(reason)]),
  )
})

/** Limits the time of reading: linear work takes milliseconds, and quadratic work more than a minute. */
const readMsMax = 5_000

describe('the time of reading an SVG', () => {
  test(
    'an SVG is read in linear time if its sheet repeats a property of a class a million times',
    () => {
      const sheet = `${Array(1_000).fill('.a').join(',')}{${'fill:red;'.repeat(1_000)}fill:#123}`
      const text = rewritten(`<style>${sheet}</style>${'<path class="a" d="M0 0"/>'.repeat(60)}`)
      expect(text.match(/<path d="M0 0" fill="#123"\/>/g)).toHaveLength(60)
    },
    readMsMax,
  )

  test(
    'an SVG is read in linear time if a property is mostly blanks',
    () => {
      const blanks = ' '.repeat(200_000)
      expect(rewritten(`<circle style="fill:red${blanks}!${blanks}important" r="1"/>`)).toContain(
        '<circle r="1" fill="red"/>',
      )
      expect(rewritten(`<circle style="fill:${blanks}!x" r="1"/>`)).toContain('<circle r="1"/>')
    },
    readMsMax,
  )
})

describe('the rewritten SVG', () => {
  test('the rewritten SVG keeps shapes, groups, gradients, masks and text', () => {
    const inside =
      '<title>A &amp; B</title><defs><linearGradient id="g" x1="0" x2="1">' +
      '<stop offset="0" stop-color="#fff"/></linearGradient>' +
      '<radialGradient id="h" href="#g"/><clipPath id="c"><circle r="3"/></clipPath></defs>' +
      '<g transform="rotate(45 4 4)" fill="url(#g) none" clip-path="url(#c)"><ellipse rx="1" ry="2"/></g>' +
      '<text x="1" font-family="\'Gill Sans\', sans-serif">A<tspan dy="1">é&lt;</tspan></text>'
    expect(rewritten(inside)).toBe(clean.replace('<path', `${inside.replaceAll('"', '"')}<path`))
  })

  test('the rewritten SVG replaces links and switches by their content', () => {
    expect(rewritten('<a href="https://evil.test"><circle r="1"/></a><switch><line x1="1"/></switch>')).toBe(
      clean.replace('<path', '<circle r="1"/><line x1="1"/><path'),
    )
  })

  test('the rewritten SVG has the colours of its style sheet and style attributes', () => {
    const style =
      '.a,.b{fill:#f00;stroke:#00f}/* } */@media print{.a{fill:#000}}path{fill:#0f0}.b{stroke:none!important}'
    expect(
      readSvg(
        `${open}<style type="text/css">${style}</style>` +
          '<path class="a b" fill="#fff" style="opacity:.5; fill: #123" d="M0 0h8v8z"/></svg>',
      ).text,
    ).toBe(
      clean.replace('<path d=', '<path fill="#123" d=').replace('z"/>', 'z" stroke="none" opacity=".5"/>'),
    )
  })

  test('the rewritten SVG has the later of two colours of a class, and ignores a forbidden one', () => {
    const style = '.b{fill:#0f0}.a{fill:#f00}.b{stroke:#00f;stroke:url(https://evil.test/x#a)}'
    expect(readSvg(`${open}<style>${style}</style><path class="b a" d="M0 0h8v8z"/></svg>`).text).toBe(
      clean.replace('z"/>', 'z" fill="#f00" stroke="#00f"/>'),
    )
  })

  test('the rewritten SVG has no masks within masks, which take renderers exponential time', () => {
    const masked = (each: number) => `<rect width="8" height="8" mask="url(#m${each - 1})"/>`
    const level = (each: number) => `<mask id="m${each}">${masked(each)}${masked(each)}</mask>`
    const text = rewritten([1, 2, 3].map(level).join(''))
    expect(text.match(/<mask/g)).toHaveLength(3)
    expect(text).not.toContain('mask=')
  })

  test('the size of a rewritten SVG is in pixels, from its attributes or its view box', () => {
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

  test('the rewritten SVG has the SVG namespace even if the file has none', () => {
    expect(readSvg(`<svg>${drawn}</svg>`).text).toContain('<svg xmlns="http://www.w3.org/2000/svg">')
  })

  test('an SVG with the document type of old drawing programs is accepted', () => {
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

test('rewriting an SVG is idempotent, and another sanitiser finds nothing to remove', () => {
  fc.assert(
    fc.property(fc.array(tree, { maxLength: 4 }), nodes => {
      const text = rewritten(nodes.join(''))
      expect(readSvg(text).text).toBe(text)
      expect(removedBySanitiser(text)).toEqual([])
    }),
    { numRuns: 200 },
  )
})

test('the sanitiser that checks rewritten SVGs removes hostile content', () => {
  expect(removedBySanitiser(`${open}<script>alert(1)</script>${drawn}</svg>`)).not.toEqual([])
  expect(removedBySanitiser(`${open}<path onload="x"/></svg>`)).not.toEqual([])
})
