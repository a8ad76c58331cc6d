import { textWidth } from '../../manifests/display-width.ts'

/** Rows of cells as aligned columns, one line a row; the last column is not padded. */
export function table(rows: readonly (readonly string[])[]): string {
  const columns = Math.max(0, ...rows.map((row) => row.length))
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(0, ...rows.map((row) => textWidth(row[column] ?? ''))),
  )
  return rows
    .map(
      (row) =>
        `${row
          .map((cell, column) => cell + ' '.repeat(Math.max(0, (widths[column] ?? 0) - textWidth(cell))))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('')
}
