;; Straight edges of a bilevel page made smooth, 128 pixels at a step: smooth-edges.ts tells what changes.
;; smooth-edges.wasm is this file, put into bytes by `wat2wasm smooth-edges.wat` of wabt; a test compares them.
(module
  (memory (export "memory") 1)

  ;; The pixels left and right of those of four words: $beside are the words one further.
  (func $leftOf (param $own v128) (param $beside v128) (result v128)
    (v128.or (i32x4.shr_u (local.get $own) (i32.const 1)) (i32x4.shl (local.get $beside) (i32.const 31))))
  (func $rightOf (param $own v128) (param $beside v128) (result v128)
    (v128.or (i32x4.shl (local.get $own) (i32.const 1)) (i32x4.shr_u (local.get $beside) (i32.const 31))))

  ;; The pixels that are to change, from four words and their neighbours by the points of the compass.
  (func $misfits
    (param $nw v128) (param $n v128) (param $ne v128) (param $w v128) (param $own v128) (param $e v128)
    (param $sw v128) (param $s v128) (param $se v128) (result v128)
    (local $top v128) (local $bottom v128) (local $left v128) (local $right v128)
    (local $anyTop v128) (local $anyBottom v128) (local $anyLeft v128) (local $anyRight v128)
    (local.set $top (v128.and (v128.and (local.get $nw) (local.get $n)) (local.get $ne)))
    (local.set $bottom (v128.and (v128.and (local.get $sw) (local.get $s)) (local.get $se)))
    (local.set $left (v128.and (v128.and (local.get $nw) (local.get $w)) (local.get $sw)))
    (local.set $right (v128.and (v128.and (local.get $ne) (local.get $e)) (local.get $se)))
    (local.set $anyTop (v128.or (v128.or (local.get $nw) (local.get $n)) (local.get $ne)))
    (local.set $anyBottom (v128.or (v128.or (local.get $sw) (local.get $s)) (local.get $se)))
    (local.set $anyLeft (v128.or (v128.or (local.get $nw) (local.get $w)) (local.get $sw)))
    (local.set $anyRight (v128.or (v128.or (local.get $ne) (local.get $e)) (local.get $se)))
    (v128.bitselect
      ;; Black ones that stand on an edge.
      (v128.or
        (v128.andnot
          (v128.or
            (v128.andnot (local.get $bottom) (local.get $anyTop))
            (v128.andnot (local.get $top) (local.get $anyBottom)))
          (v128.or (local.get $w) (local.get $e)))
        (v128.andnot
          (v128.or
            (v128.andnot (local.get $right) (local.get $anyLeft))
            (v128.andnot (local.get $left) (local.get $anyRight)))
          (v128.or (local.get $n) (local.get $s))))
      ;; White ones that are missing in one.
      (v128.or
        (v128.and
          (v128.and (local.get $w) (local.get $e))
          (v128.or
            (v128.andnot (local.get $top) (local.get $anyBottom))
            (v128.andnot (local.get $bottom) (local.get $anyTop))))
        (v128.and
          (v128.and (local.get $n) (local.get $s))
          (v128.or
            (v128.andnot (local.get $left) (local.get $anyRight))
            (v128.andnot (local.get $right) (local.get $anyLeft)))))
      (local.get $own)))

  ;; Pixels are words at $at, $rowBytes a row, with a white row and a word before and behind; the smooth ones go to $to, up
  ;; to three words more. $inside holds a word for each of a row and three more: 0 for the first of the row, -1 for others,
  ;; and $before the same, 0 for the last.
  (func (export "smooth")
    (param $at i32) (param $to i32) (param $rowBytes i32) (param $rows i32) (param $inside i32) (param $before i32)
    (local $column i32) (local $here i32)
    (local $own v128) (local $up v128) (local $down v128) (local $west v128) (local $east v128)
    (local $first v128) (local $last v128)
    (loop $down
      (local.set $column (i32.const 0))
      (loop $across
        (local.set $here (i32.add (local.get $at) (local.get $column)))
        (local.set $own (v128.load (local.get $here)))
        (local.set $up (v128.load (i32.sub (local.get $here) (local.get $rowBytes))))
        (local.set $down (v128.load (i32.add (local.get $here) (local.get $rowBytes))))
        (v128.store (i32.add (local.get $to) (local.get $column)) (local.get $own))
        (if
          (v128.any_true
            (v128.or
              (v128.xor (local.get $own) (local.get $up))
              (v128.xor (local.get $own) (local.get $down))))
          (then
            (local.set $first (v128.load (i32.add (local.get $inside) (local.get $column))))
            (local.set $last (v128.load (i32.add (local.get $before) (local.get $column))))
            (local.set $west
              (call $leftOf (local.get $own)
                (v128.and (v128.load (i32.sub (local.get $here) (i32.const 4))) (local.get $first))))
            (local.set $east
              (call $rightOf (local.get $own) (v128.and (v128.load offset=4 (local.get $here)) (local.get $last))))
            ;; Only a pixel unlike both beside it, or both above and below, can be a misfit: most have none.
            (if
              (v128.any_true
                (v128.or
                  (v128.and
                    (v128.xor (local.get $own) (local.get $west))
                    (v128.xor (local.get $own) (local.get $east)))
                  (v128.and
                    (v128.xor (local.get $own) (local.get $up))
                    (v128.xor (local.get $own) (local.get $down)))))
              (then
                (v128.store (i32.add (local.get $to) (local.get $column))
                  (v128.xor (local.get $own)
                    (call $misfits
                      (call $leftOf (local.get $up)
                        (v128.and
                          (v128.load (i32.sub (i32.sub (local.get $here) (local.get $rowBytes)) (i32.const 4)))
                          (local.get $first)))
                      (local.get $up)
                      (call $rightOf (local.get $up)
                        (v128.and
                          (v128.load offset=4 (i32.sub (local.get $here) (local.get $rowBytes)))
                          (local.get $last)))
                      (local.get $west) (local.get $own) (local.get $east)
                      (call $leftOf (local.get $down)
                        (v128.and
                          (v128.load (i32.sub (i32.add (local.get $here) (local.get $rowBytes)) (i32.const 4)))
                          (local.get $first)))
                      (local.get $down)
                      (call $rightOf (local.get $down)
                        (v128.and
                          (v128.load offset=4 (i32.add (local.get $here) (local.get $rowBytes)))
                          (local.get $last))))))))))
        (br_if $across
          (i32.lt_u
            (local.tee $column (i32.add (local.get $column) (i32.const 16)))
            (local.get $rowBytes))))
      (local.set $at (i32.add (local.get $at) (local.get $rowBytes)))
      (local.set $to (i32.add (local.get $to) (local.get $rowBytes)))
      (br_if $down (local.tee $rows (i32.sub (local.get $rows) (i32.const 1)))))))
