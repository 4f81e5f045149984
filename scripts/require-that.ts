/** Prints an expectation that is not met. The script goes on, and ends with exit code 1. */
export function requireThat(isMet: boolean, expectation: string): void {
  if (isMet) return
  console.log(`    FAILED: ${expectation}`)
  process.exitCode = 1
}
