// Runs in a world of its own in the page, with `options`. Its value is what a visitor sees as HTML: no
// element without a box, hidden, transparent or clipped away; with open shadow roots and frames of the same
// origin.
const nodesMax = 100_000
const charactersMax = 4_000_000
const valueCharactersMax = 2_000
const depthMax = 250
const frameSizeMin = 50
const endsAtMs = performance.now() + options.ms
const words = text => new Set(text.split(' '))
const voids = words('area base br col embed frame hr img input link meta source track wbr')
const withoutBox = words('area col colgroup link map meta optgroup option param script source track')
const dropped = words('noscript style template')
const replaced = words('canvas embed iframe img input object picture svg video')
const attributesDropped = words('style hidden data-box')
const dataType = /^(?:application|text)\/(?:ld\+)?json$/i
const clips = [/^inset\((?:50|100)%/, /^rect\((?:0|1)px,? (?:0|1)px,? (?:0|1)px/]

const escaped = text => text.replace(/[&<>"\u00a0]/g, sign => `&#${sign.charCodeAt(0)};`)
const viewOf = element => element.ownerDocument.defaultView

function isClipped(element, style, box) {
  if (clips.some(clip => clip.test(style.clipPath) || clip.test(style.clip))) return true
  const isTiny = box.width <= 1 || box.height <= 1
  if (isTiny && style.overflow !== 'visible' && !replaced.has(element.localName)) return true
  const { scrollX, scrollY } = viewOf(element)
  return box.width > 0 && box.height > 0 && (box.right + scrollX <= 0 || box.bottom + scrollY <= 0)
}

// `gone`: nothing of it is visible. `contents` has no box, and its texts are visible. `hidden`: only elements
// in it may be visible.
function sightOf(element) {
  if (options.isWhole || withoutBox.has(element.localName)) return { kind: 'seen' }
  const style = viewOf(element)?.getComputedStyle(element)
  if (!style || style.display === 'none') return { kind: 'gone' }
  if (style.display === 'contents') return { kind: style.visibility === 'visible' ? 'contents' : 'hidden' }
  if (!element.checkVisibility({ opacityProperty: true })) return { kind: 'gone' }
  const box = element.getBoundingClientRect()
  if (isClipped(element, style, box)) return { kind: 'gone' }
  if (style.visibility !== 'visible') return { kind: 'hidden' }
  return { kind: 'seen', box, picture: style.backgroundImage.includes('url(') ? style.backgroundImage : null }
}

function openTag(element, { box, picture } = {}) {
  let tag = `<${element.localName}`
  for (const { name, value } of element.attributes) {
    if (attributesDropped.has(name) || name.startsWith('on') || /[\s"'<>/=]/.test(name)) continue
    tag += ` ${name}="${escaped(value.slice(0, valueCharactersMax))}"`
  }
  if (picture) tag += ` style="${escaped(`background-image:${picture.slice(0, valueCharactersMax)}`)}"`
  if (options.hasBoxes && box) {
    const { scrollX, scrollY } = viewOf(element)
    const sizes = [box.left + scrollX, box.top + scrollY, box.width, box.height]
    tag += ` data-box="${sizes.map(Math.round).join(' ')}"`
  }
  return `${tag}>`
}

function innerNodes(element) {
  if (element.shadowRoot) return element.shadowRoot.childNodes
  if (element.localName !== 'slot') return element.childNodes
  const assigned = element.assignedNodes({ flatten: true })
  return assigned.length > 0 ? assigned : element.childNodes
}

function bodyOfFrame(element) {
  try {
    return element.contentDocument?.body ?? null
  } catch {
    return null
  }
}

// A frame of the same origin as its parent is part of the parent's page.
function isPartOfParent() {
  try {
    return window !== window.parent && window.parent.document !== null
  } catch {
    return false
  }
}

class PageReader {
  pieces = []
  nodes = 0
  characters = 0
  isCut = false

  read() {
    if (options.isFrame && (isPartOfParent() || innerWidth < frameSizeMin || innerHeight < frameSizeMin))
      return null
    this.add(`<!doctype html><html lang="${escaped(document.documentElement.lang)}"><head>`)
    for (const element of document.head?.children ?? []) {
      if (/^(?:base|link|meta)$/.test(element.localName)) this.add(openTag(element))
      if (element.localName === 'script') this.addScript(element)
    }
    this.add(`<title>${escaped(document.title.slice(0, valueCharactersMax))}</title></head>`)
    if (document.body) this.walk(document.body, 0, true)
    this.add('</html>')
    return { url: location.href, html: this.pieces.join(''), isCut: this.isCut }
  }

  add(text) {
    this.characters += text.length
    this.pieces.push(text)
  }

  walk(node, depth, isShown) {
    this.nodes += 1
    this.isCut ||= this.nodes > nodesMax || this.characters > charactersMax || performance.now() > endsAtMs
    if (this.isCut || depth > depthMax) return
    if (node.nodeType === Node.TEXT_NODE && isShown) this.add(escaped(node.data))
    if (node.nodeType !== Node.ELEMENT_NODE || dropped.has(node.localName)) return
    if (node.localName === 'script') return this.addScript(node)
    const sight = sightOf(node)
    if (sight.kind === 'gone') return
    const isSeen = sight.kind === 'seen'
    if (isSeen) this.add(openTag(node, sight))
    if (node.localName !== 'iframe')
      for (const child of innerNodes(node)) this.walk(child, depth + 1, sight.kind !== 'hidden')
    if (isSeen && !voids.has(node.localName)) this.add(`</${node.localName}>`)
    if (node.localName === 'iframe') this.addFrame(node, depth)
  }

  // Code is left out; its address and data stay.
  addScript(element) {
    const isData = dataType.test(element.type)
    if (!element.src && !isData) return
    const data = isData ? element.textContent.slice(0, charactersMax).replaceAll('</', '<\\/') : ''
    this.add(`${openTag(element)}${data}</script>`)
  }

  // A frame has no content in HTML, so that of the same origin follows it.
  addFrame(element, depth) {
    const body = bodyOfFrame(element)
    if (body === null) return
    this.add('<div>')
    for (const child of body.childNodes) this.walk(child, depth + 1, true)
    this.add('</div>')
  }
}

new PageReader().read()
