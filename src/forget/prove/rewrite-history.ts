/** A script for the owner to run. Stashes and detached worktrees get temporary refs, because git rewrites only refs. */

export function rewriteScript(path: string, list: string): string {
  return `#!/bin/sh
# Takes the versions of files that $FORGOTTEN lists out of the history of this repository.
set -e
cd ${quoted(path)}
FORGOTTEN=${quoted(list)}
FILTER_BRANCH_SQUELCH_WARNING=1
export FORGOTTEN FILTER_BRANCH_SQUELCH_WARNING
trap 'rm -f "$FORGOTTEN.stashes" "$FORGOTTEN.trees"' EXIT

# git rewrites nothing over changes.
git commit -q --no-verify -a -m Forget || true

git stash list --format='%H %gs' > "$FORGOTTEN.stashes"
while read -r ID SUBJECT; do
  git update-ref "refs/forget/stash/$ID" "$ID"
done < "$FORGOTTEN.stashes"
git worktree list --porcelain | sed -n 's/^worktree //p' > "$FORGOTTEN.trees"
while IFS= read -r TREE; do
  if git -C "$TREE" symbolic-ref -q HEAD > /dev/null 2>&1; then continue; fi
  ID=$(git -C "$TREE" rev-parse -q --verify HEAD 2> /dev/null) || continue
  git update-ref "refs/forget/head/$ID" "$ID"
done < "$FORGOTTEN.trees"

git filter-branch -f --index-filter '
  git ls-files -s | grep -v -F -f "$FORGOTTEN" | GIT_INDEX_FILE="$GIT_INDEX_FILE.new" git update-index --index-info
  if test -f "$GIT_INDEX_FILE.new"; then mv -f "$GIT_INDEX_FILE.new" "$GIT_INDEX_FILE"; else git read-tree --empty; fi
' --tag-name-filter cat -- --all
git for-each-ref --format='delete %(refname)' refs/original | git update-ref --stdin

# An index keeps what it names.
while IFS= read -r TREE; do
  ID=$(git -C "$TREE" rev-parse -q --verify HEAD 2> /dev/null) || continue
  if NEW=$(git rev-parse -q --verify "refs/forget/head/$ID"); then git -C "$TREE" update-ref --no-deref HEAD "$NEW"; fi
  git -C "$TREE" reset -q > /dev/null 2>&1 || true
done < "$FORGOTTEN.trees"

git update-ref -d refs/stash
git reflog expire --expire=now --all
# The oldest first.
sed '1!G;h;$!d' "$FORGOTTEN.stashes" | while read -r ID SUBJECT; do
  git stash store -m "$SUBJECT" "$(git rev-parse "refs/forget/stash/$ID")"
done
git for-each-ref --format='delete %(refname)' refs/forget | git update-ref --stdin
git gc -q --prune=now
`
}

export function quoted(path: string): string {
  return `'${path.replaceAll("'", `'\\''`)}'`
}
