import {
  type DefaultTreeAdapterMap,
  type DefaultTreeAdapterTypes,
  defaultTreeAdapter,
  type TreeAdapter,
} from 'parse5'
import { Refusal } from './source-file.ts'

const elementsMax = 500_000
const depthMax = 256

/**
 * Throws a Refusal for too many elements, because a few bytes can make an HTML parser open very many.
 * `located` says whether an element's line is stored.
 */
export function boundedTree(
  name: string,
  located: (element: DefaultTreeAdapterTypes.Element) => boolean = () => false,
): TreeAdapter<DefaultTreeAdapterMap> {
  let elements = 0
  let depth = 0
  const isLocated = (node: DefaultTreeAdapterTypes.Node) => 'tagName' in node && located(node)
  return {
    ...defaultTreeAdapter,
    createElement(...parts) {
      elements += 1
      if (elements > elementsMax) throw new Refusal(`"${name}" has more than ${elementsMax} elements`)
      return defaultTreeAdapter.createElement(...parts)
    },
    onItemPush() {
      depth += 1
      if (depth > depthMax) throw new Refusal(`"${name}" nests its elements deeper than ${depthMax}`)
    },
    onItemPop() {
      depth -= 1
    },
    setNodeSourceCodeLocation(node, location) {
      if (isLocated(node)) defaultTreeAdapter.setNodeSourceCodeLocation(node, location)
    },
    updateNodeSourceCodeLocation(node, location) {
      if (isLocated(node)) defaultTreeAdapter.updateNodeSourceCodeLocation(node, location)
    },
  }
}
