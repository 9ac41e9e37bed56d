/** First and last entries of a long list, without consecutive duplicates. */

const KEPT = 40

export class Ends<T extends { readonly text: string }> {
  private readonly first: T[] = []
  private last: T[] = []

  add(item: T): void {
    const before = this.last.at(-1) ?? this.first.at(-1)
    if (before !== undefined && before.text !== '' && before.text === item.text) return
    if (this.first.length < KEPT) this.first.push(item)
    else {
      this.last.push(item)
      if (this.last.length > 2 * KEPT) this.last = this.last.slice(-KEPT)
    }
  }

  drop(): void {
    if (this.last.length > 0) this.last.pop()
    else this.first.pop()
  }

  all(): T[] {
    return [...this.first, ...this.last.slice(-KEPT)]
  }
}
