type Parameter = { in?: string; required?: boolean; example?: unknown }
export type ApiDocument = { paths: Record<string, Record<string, { parameters?: Parameter[] }>> }

/**
 * The document as Scalar reads it: without `x-disabled`, "Test request" would send the first value of each
 * enumeration. The public document lacks it, because other programs take such an example for a value.
 */
export function referenceDocument(document: ApiDocument): ApiDocument {
  const leftOut = { examples: { default: { 'x-disabled': true } } }
  const marked = (parameter: Parameter) =>
    parameter.in === 'query' && parameter.required === false && parameter.example === undefined
      ? { ...parameter, ...leftOut }
      : parameter
  const paths = mapValues(document.paths, methods =>
    mapValues(methods, operation => ({
      ...operation,
      ...(operation.parameters && { parameters: operation.parameters.map(marked) }),
    })),
  )
  return { ...document, paths }
}

const mapValues = <In, Out>(record: Record<string, In>, to: (value: In) => Out): Record<string, Out> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, to(value)]))
